"""Validation: turn documents into reports. Defines the order of the checks, not the report formats."""
