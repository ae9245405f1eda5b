import random

SOURCE = random.SystemRandom()
