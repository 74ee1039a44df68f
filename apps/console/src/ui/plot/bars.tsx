import type { Area, Series } from '#ui/plot/plot.tsx';

interface Mark {
  readonly place: number;
  readonly which: number;
  readonly from: number;
  readonly to: number;
}

/** The segments of the stacked bars. */
function marksOf(series: readonly Series[]): readonly Mark[] {
  const below: number[] = [];
  return series.flatMap(({ values }, which) =>
    values.flatMap((value, place) => {
      const from = below[place] ?? 0;
      const to = from + (value ?? 0);
      below[place] = to;
      return to === from ? [] : [{ place, which, from, to }];
    }),
  );
}

/** Stacked bars. */
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
  const gap = Math.min(4, slot * 0.25);
  return marksOf(series).map(({ place, which, from, to }) => (
    <rect
      key={`${place} ${which}`}
      className={`plot-fill-${which + 1}`}
      x={area.left + slot * place + gap / 2}
      width={Math.max(1, slot - gap)}
      y={y(to)}
      height={Math.max(1, y(from) - y(to))}
    />
  ));
}
