//! `exitpath man`: prints the manual as one page.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::Args;
use super::{Status, Stop};

pub(super) fn run(out: &mut dyn Write) -> Result<Status, Stop> {
    let mut program =
        Args::command().disable_help_subcommand(true).subcommand_value_name("command");
    program.build();
    let mut page = Vec::new();
    // The generator's own title is wrong: it omits an empty date, and the later fields move up.
    let version = program.get_version().unwrap_or_default();
    writeln!(page, ".TH EXITPATH 1 \"\" \"exitpath {version}\" \"User Commands\"")?;
    let top = Man::new(program.clone());
    top.render_name_section(&mut page)?;
    top.render_synopsis_section(&mut page)?;
    top.render_description_section(&mut page)?;
    top.render_options_section(&mut page)?;
    for command in program.get_subcommands() {
        section(command, &mut page)?;
    }
    out.write_all(ascii(&String::from_utf8_lossy(&page)).as_bytes())?;
    Ok(Status::Clean)
}

/// Renders a command as a section of the page.
fn section(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_uppercase();
    // The options of the program are listed once, at the top.
    let own = command.clone().mut_args(|arg| {
        let is_shared = arg.is_global_set() || arg.get_id() == "help";
        arg.hide(is_shared)
    });
    let has_options = own.get_arguments().any(|arg| !arg.is_hide_set());
    let alone = Man::new(own);
    let mut text = Vec::new();
    alone.render_synopsis_section(&mut text)?;
    alone.render_description_section(&mut text)?;
    if has_options {
        alone.render_options_section(&mut text)?;
    }
    writeln!(page, ".SH \"{name}\"")?;
    for line in String::from_utf8_lossy(&text).lines() {
        match line {
            ".SH SYNOPSIS" => {}
            ".SH DESCRIPTION" => writeln!(page, ".PP")?,
            ".SH OPTIONS" => writeln!(page, ".SS Options")?,
            line => writeln!(page, "{line}")?,
        }
    }
    Ok(())
}

/// Escapes other characters by their number, which every man page formatter understands.
fn ascii(page: &str) -> String {
    page.chars().fold(String::with_capacity(page.len()), |mut text, c| {
        if c.is_ascii() {
            text.push(c);
        } else {
            let _ = write!(text, "\\[u{:04X}]", u32::from(c));
        }
        text
    })
}
