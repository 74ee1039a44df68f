import type { Area, Series } from '#ui/plot/plot.tsx';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Splits the points of a series at gaps. */
function runsOf(points: readonly (Point | undefined)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point === undefined) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter((run) => run.length > 0);
}

/** One line per series, with gaps for missing values. Dots show isolated values. */
export function Lines({
  series,
  slot,
  area,
  y,
}: {
  readonly series: readonly Series[];
  /** Pixels per point of the x-axis. */
  readonly slot: number;
  readonly area: Area;
  readonly y: (value: number) => number;
}) {
  return series.map(({ name, values }, which) => {
    const points = values.map((value, index) =>
      value === null ? undefined : { x: area.left + slot * (index + 0.5), y: y(value) },
    );
    return (
      <g key={name} className={`plot-line-${which + 1}`}>
        {runsOf(points).map((run) => (
          <g key={run[0]?.x}>
            <polyline points={run.map((point) => `${point.x},${point.y}`).join(' ')} />
            {run.map((point) => (
              <circle key={point.x} cx={point.x} cy={point.y} r={2.5} />
            ))}
          </g>
        ))}
      </g>
    );
  });
}
