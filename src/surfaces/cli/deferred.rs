//! A subcommand whose flags clap builds only when it is used. Every start of the program would
//! otherwise build the flags of all commands.

use std::ops::Deref;

use clap::builder::{Resettable, StyledStr};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The flags of a command. The purpose of the command is declared with its variant, because the
/// list of commands shows it and is printed without building the flags.
#[derive(Debug)]
pub(super) struct Deferred<A>(Box<A>);

impl<A> Deref for Deferred<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}

impl<A: FromArgMatches> FromArgMatches for Deferred<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(|args| Self(Box::new(args)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<A: Args> Args for Deferred<A> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| keep_words(command, A::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| keep_words(command, A::augment_args_for_update))
    }
}

/// The doc comments of shared groups of flags would replace what the command is for.
fn keep_words(command: Command, augment: fn(Command) -> Command) -> Command {
    let about = words(command.get_about());
    let long_about = words(command.get_long_about());
    augment(command).about(about).long_about(long_about)
}

fn words(text: Option<&StyledStr>) -> Resettable<StyledStr> {
    text.cloned().map_or(Resettable::Reset, Resettable::Value)
}
