import type { Area, Series } from '#ui/plot/plot.tsx';

/** In pixels. A few wide bars would look like an area. */
const MAX_BAR = 64;

interface Segment {
  readonly index: number;
  readonly seriesIndex: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the segments of the stacked bars. */
function segmentsOf(series: readonly Series[]): readonly Segment[] {
  const below: number[] = [];
  return series.flatMap(({ values }, seriesIndex) =>
    values.flatMap((value, index) => {
      const from = below[index] ?? 0;
      const to = from + (value ?? 0);
      below[index] = to;
      return to === from ? [] : [{ index, seriesIndex, from, to }];
    }),
  );
}

/** Draws stacked bars. */
export function Bars({
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
  const gap = Math.max(Math.min(4, slot * 0.25), slot - MAX_BAR);
  return segmentsOf(series).map(({ index, seriesIndex, from, to }) => (
    <rect
      key={`${index} ${seriesIndex}`}
      className={`plot-fill-${seriesIndex + 1}`}
      x={area.left + slot * index + gap / 2}
      width={Math.max(1, slot - gap)}
      y={y(to)}
      height={Math.max(1, y(from) - y(to))}
    />
  ));
}
