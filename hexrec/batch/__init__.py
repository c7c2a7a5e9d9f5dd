"""Batches: archives split into chunks of work, which are done in this process, on all cores or on a cluster."""
