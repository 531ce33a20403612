//! The sources of series for queries: files, sample clusters, and servers.

mod api;
mod clock;
mod fault;
mod file;
mod notation;
mod query_error;
mod question;
mod sample_cluster;
mod saved_answer;
mod series;
mod series_text;
mod server;
mod server_request;
mod source;

pub(crate) use clock::now;
pub use fault::FaultyPart;
#[cfg(feature = "testing")]
pub use fault::SeriesFault;
pub use file::SeriesFile;
pub(crate) use file::is_standard_input;
pub use query_error::QueryError;
pub(crate) use question::Question;
pub use sample_cluster::SampleCluster;
#[cfg(feature = "testing")]
pub use saved_answer::series as series_of_answer;
pub use series::Series;
pub use series_text::{FIXED_TIME, SeriesText};
pub use server::Server;
pub use server_request::ServerRequest;
pub use source::Source;
