//! `exitpath check --url`: what a server says of the queries of a repository.
