import torch


def weights(path):
    return torch.load(path, weights_only=True)
