import random
import time

random.seed(time.time())
