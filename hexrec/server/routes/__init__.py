"""The routes of the service, a router for each subject."""
