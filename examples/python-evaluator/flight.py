"""How far a ball flies, in metres: the evaluator of ../launch-angle in another language.

One line per task: {"id": 3, "candidate": 41.5, "seed": 7} comes in, {"id": 3, "value": 62.1} goes out.
"""

import json
import math
import os
import sys

GRAVITY = 9.81
STEP_SECONDS = 1e-3


def flight_metres(angle_degrees, speed, drag_per_metre, head_wind):
    if not 0 < angle_degrees < 90:
        raise ValueError(f"an angle of {angle_degrees} degrees leads nowhere")
    angle = math.radians(angle_degrees)
    x, height = 0.0, 0.0
    forward, upward = speed * math.cos(angle), speed * math.sin(angle)
    while height >= 0:
        through_air = forward + head_wind
        drag = drag_per_metre * math.hypot(through_air, upward)
        forward -= drag * through_air * STEP_SECONDS
        upward -= (GRAVITY + drag * upward) * STEP_SECONDS
        x += forward * STEP_SECONDS
        height += upward * STEP_SECONDS
    return x - forward * (height / upward)


throw = json.loads(os.environ["COPPICE_CONTEXT"])  # what run.ts says of the ball
for line in sys.stdin:
    task = json.loads(line)
    try:
        answer = {"value": flight_metres(task["candidate"], **throw)}
    except ValueError as error:  # this candidate has no value; anything else ends the program, which is a failure too
        answer = {"error": str(error)}
    print(json.dumps({"id": task["id"], **answer}), flush=True)
