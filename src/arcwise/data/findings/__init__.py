"""What is odd about a table, with the evidence and a change of how it is read that settles it."""

from __future__ import annotations

from arcwise.data.findings.checking import check
from arcwise.data.findings.finding import CODES, Finding, Severity
from arcwise.data.findings.report import Report

__all__ = ["CODES", "Finding", "Report", "Severity", "check"]
