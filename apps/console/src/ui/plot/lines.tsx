import type { Area, Series } from '#ui/plot/plot.tsx';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Splits the points of a series at missing values. */
function splitAtGaps(points: readonly (Point | undefined)[]): readonly (readonly Point[])[] {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point === undefined) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter((part) => part.length > 0);
}

/** Draws one line per series, with gaps for missing values. Dots show isolated values. */
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
  return series.map(({ name, values }, seriesIndex) => {
    const points = values.map((value, index) =>
      value === null ? undefined : { x: area.left + slot * (index + 0.5), y: y(value) },
    );
    return (
      <g key={name} className={`plot-line-${seriesIndex + 1}`}>
        {splitAtGaps(points).map((run) => (
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
