"""Colours as eyes see them: contrast, and distances under three kinds of colour blindness.

The matrices are those of Machado, Oliveira and Fernandes (2009) for complete blindness of each kind.
"""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
_BLIND = (
    np.eye(3),
    np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
)
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> Vector:
    """#rrggbb as linear light."""
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """As in the Web Content Accessibility Guidelines."""
    dark, light = sorted(float(_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def distances(one: str, other: str) -> list[float]:
    """CIE76 distance for everybody, and for the three kinds."""
    return [float(np.linalg.norm(_lab(m @ linear(one)) - _lab(m @ linear(other)))) for m in _BLIND]


def _lab(light: Vector) -> Vector:
    x = _XYZ @ np.clip(light, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
