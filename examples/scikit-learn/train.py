"""Trains a classifier of handwritten digits; asked line by line, so that scikit-learn is imported once per worker.

A point has a number of epochs to have trained in all, and a checkpoint to go on from: what was trained for 1 epoch
is trained for 2 more when it is asked for 3.
"""
import json
import os
import pickle
import sys

from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split

pixels, digits = load_digits(return_X_y=True)
train_x, test_x, train_y, test_y = train_test_split(pixels / 16, digits, random_state=0)
folder = os.environ.get("CHECKPOINTS", "checkpoints")
os.makedirs(folder, exist_ok=True)


def error(point):
    load, save = point["checkpoint"]["load"], point["checkpoint"]["save"]
    if load is None:
        schedule = {"learning_rate": point["schedule"], "eta0": point["rate"]}
        model, trained = SGDClassifier(alpha=point["alpha"], random_state=0, **schedule), 0
    else:
        with open(f"{folder}/{load}", "rb") as file:
            model, trained = pickle.load(file)
    for _ in range(trained, point["epochs"]):
        model.partial_fit(train_x, train_y, classes=range(10))
    # Written aside and renamed: a killed worker leaves no half of a checkpoint.
    with open(f"{folder}/{save}.{os.getpid()}", "wb") as file:
        pickle.dump((model, point["epochs"]), file)
    os.replace(f"{folder}/{save}.{os.getpid()}", f"{folder}/{save}")
    return 1 - model.score(test_x, test_y)


for line in sys.stdin:
    task = json.loads(line)
    print(json.dumps({"id": task["id"], "value": error(task["candidate"])}), flush=True)
