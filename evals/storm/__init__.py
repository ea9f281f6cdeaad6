"""The storm: workers are killed, suspended and started at random, and every thread is finished."""
