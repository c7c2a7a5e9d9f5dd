"""Tools on records: conversion, editing, deduplication, statistics and positions."""

from __future__ import annotations
