//! What `oc adm upgrade` refuses before it asks the cluster anything.

use super::super::command_line::Flags;
use super::super::console::{Console, OcError};
use super::super::reference::PullSpec;
use crate::cluster::object::parse_version;

pub(super) fn check(flags: &Flags, console: &mut Console) -> Result<(), OcError> {
    let (to, image) = (flags.text("to"), flags.text("to-image"));
    let has_target = !to.is_empty() || !image.is_empty() || flags.is_on("to-latest");
    let is_multi = flags.is_on("to-multi-arch");
    if flags.is_on("clear") && (has_target || is_multi) {
        return Err(OcError::new("--clear may not be specified with any other flags"));
    }
    if is_multi && has_target {
        return Err(OcError::new(
            "--to-multi-arch may not be used with --to, --to-image, or --to-latest",
        ));
    }
    if !to.is_empty() && !image.is_empty() {
        return Err(OcError::new("only one of --to or --to-image may be provided"));
    }
    if !to.is_empty() {
        parse_version(to).map_err(|fault| {
            let examples = "(e.g. 4.0.1 or 4.1.0-nightly-20181104)";
            OcError::new(format!("--to must be a semantic version {examples}: {fault}"))
        })?;
    }
    if image.is_empty() { Ok(()) } else { check_image(image, flags.is_on("force"), console) }
}

/// Checks an image. A version is also a valid pull spec, so obvious mistakes are refused here.
fn check_image(image: &str, is_forced: bool, console: &mut Console) -> Result<(), OcError> {
    let invalid =
        |fault| OcError::new(format!("--to-image must be a valid image pull spec: {fault}"));
    let spec = PullSpec::read(image).map_err(invalid)?;
    if !spec.is_located {
        return Err(invalid("no registry or repository specified"));
    }
    if spec.digest.is_none() && !spec.is_tagged {
        return Err(invalid("no tag or digest specified"));
    }
    if spec.is_tagged && !is_forced {
        return Err(OcError::new(
            "--to-image must be a by-digest pull spec, unless --force is also set, because release \
             images that are not accessed via digest cannot be verified by the cluster.  Even when \
             --force is set, using tags is not recommended, although we continue to allow it for \
             backwards compatibility",
        ));
    }
    if spec.is_tagged {
        console.warn(
            "warning: Using by-tag pull specs is dangerous, and while we still allow it in \
             combination with --force for backward compatibility, it would be much safer to pass a \
             by-digest pull spec instead\n",
        );
    }
    Ok(())
}
