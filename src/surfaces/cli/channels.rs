//! `exitpath channels`: lists channels and what each is for.

use std::io::Write;
use std::path::Path;

use crate::channel_list::{ChannelList, ServiceRequest, fetch};
use crate::cluster::Refusal;
use crate::cluster::object::Condition;
use crate::domain::Format;
use crate::graph_data::GraphData;
use crate::report::{
    ChannelsReport, Printed, Style, is_object_name, known_objects, write_channel_definition,
    write_channel_objects, write_condition,
};
use crate::session::{Note, Session};
use crate::text::words::{counted, listed};
use crate::text::{Failure, printable};

use super::channels_args::{ChannelsArgs, ChannelsView, ServiceArgs};
use super::common_args::CommonArgs;
use super::file_text::{file_text, named};
use super::repository_data::repository_data;
use super::{Status, Stop, print};

/// The condition that says whether the operator got the channels.
const CONDITION: &str = "RetrievedChannels";

/// The largest file with known objects, in bytes.
const MOST_KNOWN: u64 = 16 << 20;

pub(super) fn run(
    args: &ChannelsArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    refuse_conflicts(args)?;
    let (list, data) = if let Some(url) = &args.service.service {
        (asked(url, &args.service, common, err)?, None)
    } else {
        let revision = args.rev.as_deref();
        let session = Session::open(args.repo.as_deref(), &[], revision)?;
        let data = repository_data(&session, revision, common, err)?;
        (Ok(ChannelList::of(&data)), Some(data))
    };
    let name = args.name.as_deref();
    let list = list.map(|list| only(list, name));
    if args.view == ChannelsView::Crd {
        let list = list.map_or_else(|refusal| Ok(Err(refusal)), |list| list.map(Ok))?;
        write_objects(args, list, common, out, err)?;
        return Ok(Status::Clean);
    }
    let list = list.map_err(|refusal| Failure::new(refusal.message))??;
    let releases = |name| data.as_ref().map(|data| releases(data, name));
    let only = name.map(|name| (name, releases(name)));
    let format = args.format.unwrap_or(Format::Human);
    ChannelsReport { list: &list, only }.write(format, style, out)?;
    Ok(Status::Clean)
}

fn refuse_conflicts(args: &ChannelsArgs) -> Result<(), Failure> {
    if args.view == ChannelsView::Crd && args.format.is_some() {
        return Err(Failure::new("`--as crd` prints YAML only: omit `--format`"));
    }
    if args.view == ChannelsView::List && args.known.is_some() {
        return Err(Failure::new("`--known` is for objects: add `--as crd`"));
    }
    if args.view == ChannelsView::List && args.with_definition {
        return Err(Failure::new("`--with-definition` is for objects: add `--as crd`"));
    }
    Ok(())
}

/// The list of a service, or what the operator makes of the failure.
fn asked(
    url: &str,
    args: &ServiceArgs,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<Result<ChannelList, Refusal>, Stop> {
    let (token_file, ca) = (args.access.token_file(), args.access.ca());
    let request = ServiceRequest { url, token_file, ca, limit: args.access.limit() };
    let fetched = fetch(&request)?;
    let notes: Vec<Note> = fetched.notes.iter().map(important).collect();
    print::notes(&notes, common, err)?;
    Ok(fetched.list)
}

fn important(text: impl AsRef<str>) -> Note {
    Note { text: printable(text.as_ref()).into_owned(), is_important: true }
}

/// The list with only this channel, if one is named.
fn only(list: ChannelList, name: Option<&str>) -> Result<ChannelList, Failure> {
    let Some(name) = name else { return Ok(list) };
    match list.channels.get_key_value(name) {
        Some((name, description)) => {
            let channels = [(name.clone(), description.clone())].into_iter().collect();
            Ok(ChannelList { channels })
        }
        None => Err(Failure::unknown_channel(name, list.channels.keys().map(String::as_str))),
    }
}

/// The releases of a channel: how many, the oldest, and the newest.
fn releases(data: &GraphData, name: &str) -> String {
    let named = data.channels.iter().filter(|channel| channel.public && channel.name() == name);
    let mut ids: Vec<_> = named.flat_map(|channel| channel.releases.iter().copied()).collect();
    ids.sort_unstable();
    ids.dedup();
    let text = |id| data.releases.get(id).text.as_str();
    let count = counted(ids.len(), "release");
    match ids.as_slice() {
        [] => count,
        [only] => format!("{count}, {}", text(*only)),
        [oldest, .., newest] => format!("{count}, {} to {}", text(*oldest), text(*newest)),
    }
}

/// The objects that the operator stores. If it got no list, what it knows stays.
fn write_objects(
    args: &ChannelsArgs,
    list: Result<ChannelList, Refusal>,
    common: &CommonArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let known = args.known.as_deref().map(known).transpose()?;
    if args.with_definition {
        write_channel_definition(out)?;
    }
    let condition = match list {
        Ok(list) => {
            let names = list.channels.keys().filter(|name| !is_object_name(name));
            let names: Vec<_> = names.map(|name| printable(name)).collect();
            if !names.is_empty() {
                let text =
                    format!("Kubernetes allows no object with the name {}", listed(&names, "or"));
                print::notes(&[important(text)], common, err)?;
            }
            write_channel_objects(&list, out)?;
            Condition::new(CONDITION, "True", "", "")
        }
        Err(refusal) => {
            let kept =
                if known.is_some() { "the known channels stay" } else { "no channel is known" };
            let text = format!("{}; {kept}", refusal.message);
            print::notes(&[important(text)], common, err)?;
            write!(out, "{}", known.unwrap_or_default())?;
            refusal.condition(CONDITION)
        }
    };
    Ok(write_condition(&condition, out)?)
}

/// The objects of an earlier run.
fn known(file: &Path) -> Result<String, Failure> {
    let text = file_text(file, MOST_KNOWN)?;
    known_objects(&text).map_err(|failure| failure.cannot_use(&named(file)))
}
