# SPDX-License-Identifier: Apache-2.0
"""CIFAR-style ResNet-32 (He et al., 2015, section 4.2): 3 stages of 5 blocks with 16, 32 and 64 channels; shortcuts
without parameters (every second pixel, channels padded with zeros)."""

import torch
from torch import nn
from torch.nn import functional

from .workload import Workload

SUMMARY = "CIFAR-style ResNet-32, cross entropy over 10 classes"


class Block(nn.Module):
    def __init__(self, channels_in, channels, stride, device):
        super().__init__()
        self.conv1 = nn.Conv2d(channels_in, channels, 3, stride=stride, padding=1, bias=False, device=device)
        self.norm1 = nn.BatchNorm2d(channels, device=device)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False, device=device)
        self.norm2 = nn.BatchNorm2d(channels, device=device)
        self.padding = (channels - channels_in) // 2
        self.stride = stride

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        if self.stride != 1 or self.padding:
            x = functional.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, self.padding, self.padding))
        return functional.relu(y + x)


class ResNet(nn.Module):
    def __init__(self, blocks, width, classes, device):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1, bias=False, device=device)
        self.norm = nn.BatchNorm2d(width, device=device)
        layers, channels_in = [], width
        for stage in range(3):
            for block in range(blocks):
                channels = width << stage
                layers.append(Block(channels_in, channels, 2 if stage and not block else 1, device))
                channels_in = channels
        self.layers = nn.Sequential(*layers)
        self.linear = nn.Linear(channels_in, classes, device=device)

    def forward(self, x):
        x = self.layers(functional.relu(self.norm(self.conv(x))))
        x = functional.avg_pool2d(x, x.size()[2:])
        return self.linear(x.view(x.size(0), -1))


def add_options(parser):
    parser.add_argument("--batch", type=int, default=56, help="images (default %(default)s)")
    parser.add_argument("--image", type=int, default=224, help="pixels a side (default %(default)s)")
    parser.add_argument("--blocks", type=int, default=5, help="blocks a stage, 5 is ResNet-32 (default %(default)s)")
    parser.add_argument("--width", type=int, default=16, help="channels of the first stage (default %(default)s)")


def build(options):
    device = options.device
    model = ResNet(options.blocks, options.width, classes=10, device=device)
    images = torch.zeros(options.batch, 3, options.image, options.image, device=device)
    labels = torch.zeros(options.batch, dtype=torch.long, device=device)
    return Workload(model, [images, labels], lambda: functional.cross_entropy(model(images), labels))
