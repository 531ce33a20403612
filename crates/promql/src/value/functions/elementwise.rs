//! Functions that turn each value into another.

use super::super::plan::Steps;

/// A function of a value and an optional parameter.
type Elementwise = fn(f64, Option<f64>, Steps) -> f64;

pub(super) fn function(name: &str) -> Option<Elementwise> {
    Some(match name {
        "abs" => |v, _, _| v.abs(),
        "acos" => |v, _, _| v.acos(),
        "acosh" => |v, _, _| v.acosh(),
        "asin" => |v, _, _| v.asin(),
        "asinh" => |v, _, _| v.asinh(),
        "atan" => |v, _, _| v.atan(),
        "atanh" => |v, _, _| v.atanh(),
        "ceil" => |v, _, _| v.ceil(),
        "clamp_max" => |v, most, _| smaller(most.unwrap_or(f64::NAN), v),
        "clamp_min" => |v, least, _| greater(least.unwrap_or(f64::NAN), v),
        "cos" => |v, _, _| v.cos(),
        "cosh" => |v, _, _| v.cosh(),
        "deg" => |v, _, _| v * 180.0 / std::f64::consts::PI,
        "exp" => |v, _, _| v.exp(),
        "floor" => |v, _, _| v.floor(),
        "ln" => |v, _, _| v.ln(),
        "log10" => |v, _, _| v.log10(),
        "log2" => |v, _, _| v.log2(),
        "rad" => |v, _, _| v * std::f64::consts::PI / 180.0,
        "round" => |v, nearest, _| {
            let inverse = 1.0 / nearest.unwrap_or(1.0);
            (v * inverse + 0.5).floor() / inverse
        },
        "sgn" => |v, _, _| {
            if v < 0.0 {
                -1.0
            } else if v > 0.0 {
                1.0
            } else {
                v
            }
        },
        "sin" => |v, _, _| v.sin(),
        "sinh" => |v, _, _| v.sinh(),
        "sqrt" => |v, _, _| v.sqrt(),
        "tan" => |v, _, _| v.tan(),
        "tanh" => |v, _, _| v.tanh(),
        _ => return None,
    })
}

/// Go's `Min`: NaN if either is NaN, unless the other is negative infinity.
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a == f64::NEG_INFINITY || b == f64::NEG_INFINITY {
        f64::NEG_INFINITY
    } else if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        if a.is_sign_negative() { a } else { b }
    } else {
        a.min(b)
    }
}

/// Go's `Max`: NaN if either is NaN, unless the other is infinity.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    -smaller(-a, -b)
}
