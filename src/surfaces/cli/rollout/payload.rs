//! `exitpath rollout payload`.

use std::io::Write;
use std::path::Path;

use crate::cli::rollout_args::RolloutPayloadArgs;
use crate::cli::{Status, Stop};
use crate::domain::Format;
use crate::draw::payload_svg;
use crate::payload::{Payload, Scope, payload_files};
use crate::report::{PayloadReport, Printed, Style};
use crate::text::Failure;

pub(super) fn run(
    args: &RolloutPayloadArgs,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let scope = args.scope.scope();
    let payload = read(&args.folder, &scope)?;
    let older = match &args.older {
        Some(folder) => Some(read(folder, &scope)?),
        None => None,
    };
    let report = PayloadReport::of(&payload, older.as_ref());
    args.output.print(style, out, |style, out| match args.format {
        Format::Svg => write!(out, "{}", payload_svg(&payload, &report.steps)),
        format => report.write(format, style, out),
    })?;
    Ok(Status::failed_if(report.fails(args.fail_on)))
}

/// The payload in a folder.
pub(super) fn read(folder: &Path, scope: &Scope) -> Result<Payload, Failure> {
    let read = payload_files(folder).and_then(|files| Payload::read(files, scope));
    read.map_err(|failure| {
        failure
            .at(format!("{} is not a payload", folder.display()))
            .hint("write one with `oc adm release extract --to DIR`")
    })
}
