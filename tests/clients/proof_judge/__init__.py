"""The parts of the judge `tests/clients/proofs`."""
