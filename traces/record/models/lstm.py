# SPDX-License-Identifier: Apache-2.0
"""A language model on LSTM cells written out, so that their operators appear one by one rather than as one fused
kernel: embedding, stacked cells unrolled over the sequence, at every step the scores and loss of the next word."""

import torch
from torch import nn
from torch.nn import functional

from .workload import Workload

SUMMARY = "language model on stacked, unrolled LSTM cells"


class Cell(nn.Module):
    """One LSTM layer at one step: i, f, g, o = W x + U h + b."""

    def __init__(self, inputs, hidden, device):
        super().__init__()
        self.from_input = nn.Linear(inputs, 4 * hidden, device=device)
        self.from_hidden = nn.Linear(hidden, 4 * hidden, bias=False, device=device)

    def forward(self, x, state):
        h, c = state
        gates = self.from_hidden(h)
        gates += self.from_input(x)  # in place, as most implementations do
        i, f, g, o = gates.chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, hidden, layers, device):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden, device=device)
        self.cells = nn.ModuleList(Cell(hidden, hidden, device) for _ in range(layers))
        self.decoder = nn.Linear(hidden, vocabulary, device=device)

    def forward(self, tokens, states):
        """tokens (steps + 1, batch), states [(h, c)] a layer -> mean loss of predicting each token from those before"""
        losses = []
        for now, following in zip(tokens[:-1], tokens[1:]):
            x = self.embedding(now)
            for layer, cell in enumerate(self.cells):
                x, c = cell(x, states[layer])
                states[layer] = (x, c)
            losses.append(functional.cross_entropy(self.decoder(x), following))
        return torch.stack(losses).mean()


def add_options(parser):
    parser.add_argument("--batch", type=int, default=256, help="sequences (default %(default)s)")
    parser.add_argument("--steps", type=int, default=24, help="tokens a sequence (default %(default)s)")
    parser.add_argument("--hidden", type=int, default=200, help="width of a layer (default %(default)s)")
    parser.add_argument("--layers", type=int, default=1, help="stacked cells (default %(default)s)")
    parser.add_argument("--vocabulary", type=int, default=10000, help="words (default %(default)s)")


def build(options):
    device = options.device
    model = LanguageModel(options.vocabulary, options.hidden, options.layers, device)
    tokens = torch.zeros(options.steps + 1, options.batch, dtype=torch.long, device=device)
    start = [torch.zeros(options.batch, options.hidden, device=device) for _ in range(2 * options.layers)]

    def loss():
        return model(tokens, [(start[2 * layer], start[2 * layer + 1]) for layer in range(options.layers)])

    return Workload(model, [tokens, *start], loss)
