# SPDX-License-Identifier: Apache-2.0
"""Ends a test program as skipped (exit code 77) where PyTorch is missing or not the version it is about."""

import sys

SKIP = 77


def require(version=None):
    try:
        import torch
    except ImportError:
        _skip(f"{sys.executable} has no PyTorch (Debian: python3-torch; choose another with -DDTRMC_TORCH_PYTHON=)")
    if version is not None and torch.__version__.split(".")[:2] != version.split("."):
        _skip(f"the recordings were made with PyTorch {version}, this is {torch.__version__}")
    return torch


def _skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIP)
