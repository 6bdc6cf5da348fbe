"""The cost of each statement of the models, in the first load and in the last increment.

    python -m bench.statements --format delta --events 250000 --out target/bench

prints a line per statement: CPU seconds, wall seconds, length, and its beginning.
"""

import shutil

from bench import sessions
from bench.generate import Workload, create_landing, land
from bench.options import parser
from bench.ours import Consumer
from bench.recording import recording
from bench.run import INCREMENTS, LANDING


def main() -> None:
    options = parser(__doc__, events=250_000).parse_args()
    folder = options.out / "statements"
    shutil.rmtree(folder, ignore_errors=True)
    spark = sessions.start(options.format, folder)
    from dbt.adapters.spark.session import Cursor

    consumer = Consumer(folder / "consumer", LANDING, options.format)
    workload = Workload(options.events, options.increment, increments=INCREMENTS)
    create_landing(spark, consumer.landing, options.format)
    consumer.write()
    for batch in range(INCREMENTS + 1):
        land(spark, consumer.landing, workload, batch)
        with recording(Cursor) as statements:
            run = consumer.run()
        total = sum(run.models.values(), run.rest)
        print(f"-- run {batch}: {total.cpu_s:.1f} CPU s, {len(statements)} statements", flush=True)
        if batch in (0, INCREMENTS):
            print("\n".join(map(str, statements)), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
