import { language, t } from '#texts/texts.ts';
import { Bars } from '#ui/plot/bars.tsx';
import { Lines } from '#ui/plot/lines.tsx';
import { compactNumber, labeledIndexes, roundTicks } from '#ui/plot/scale.ts';
import { useWidth } from '#ui/plot/use-width.ts';
import { type Column, Table } from '#ui/table.tsx';

/** A data series with one value per point of the x-axis, or null. The index determines the color. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The drawing area of a plot in pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const HEIGHT = 190;
const MARGIN = { left: 44, right: 8, top: 8, bottom: 24 };
/** The width of the longest label of the x-axis. */
const LABEL_WIDTH = 80;

/**
 * Values over time as stacked bars or lines. A tooltip shows the values of a point. The table below is
 * the accessible alternative.
 */
export function Plot({
  title,
  unit,
  kind,
  labels,
  series,
}: {
  readonly title: string;
  /** For example “ms”. Empty for counts. */
  readonly unit: string;
  readonly kind: 'bars' | 'lines';
  /** The labels of the x-axis. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}) {
  const [element, width] = useWidth();
  const area: Area = {
    left: MARGIN.left,
    top: MARGIN.top,
    width: Math.max(0, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  };
  const at = (index: number) => series.map(({ values }) => values[index] ?? null);
  const heights = labels.map((_, index) => {
    const values = at(index).map((value) => value ?? 0);
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  const ticks = roundTicks(Math.max(0, ...heights));
  const top = ticks.at(-1) ?? 1;
  const y = (value: number) => area.top + area.height * (1 - value / top);
  const slot = labels.length === 0 ? 0 : area.width / labels.length;
  const tooltip = (index: number) =>
    `${labels[index]}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? null, unit)}`).join(', ')}`;
  const columns: readonly Column<number>[] = [
    { name: t('ui.time'), cell: (index) => labels[index] },
    ...series.map(
      ({ name, values }): Column<number> => ({
        name,
        isNumber: true,
        cell: (index) => format(values[index] ?? null, unit),
      }),
    ),
  ];

  return (
    <figure className="card plot">
      <figcaption>
        <h2>{title}</h2>
        <ul className="plot-legend">
          {series.map(({ name }, seriesIndex) => (
            <li key={name}>
              <span className={`plot-key plot-fill-${seriesIndex + 1}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={element}>
        {width === 0 ? null : (
          <svg width={width} height={HEIGHT} role="img" aria-label={t('ui.plotLabel', { title })}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line className="plot-grid" x1={area.left} x2={area.left + area.width} y1={y(tick)} y2={y(tick)} />
                <text className="plot-text" x={area.left - 6} y={y(tick) + 4} textAnchor="end">
                  {compactNumber(tick)}
                </text>
              </g>
            ))}
            {labeledIndexes(labels.length, Math.floor(area.width / LABEL_WIDTH))
              .filter((index) => area.left + slot * index + LABEL_WIDTH <= width)
              .map((index) => (
                <text key={index} className="plot-text" x={area.left + slot * index} y={HEIGHT - 6}>
                  {labels[index]}
                </text>
              ))}
            {kind === 'bars' ? (
              <Bars series={series} slot={slot} area={area} y={y} />
            ) : (
              <Lines series={series} slot={slot} area={area} y={y} />
            )}
            {labels.map((name, index) => (
              <rect
                key={name}
                className="plot-hover"
                x={area.left + slot * index}
                y={area.top}
                width={slot}
                height={area.height}
              >
                <title>{tooltip(index)}</title>
              </rect>
            ))}
          </svg>
        )}
      </div>
      <details>
        <summary>{t('ui.showAsTable')}</summary>
        <Table caption={title} columns={columns} rows={labels.map((_, index) => index)} keyOf={String} />
      </details>
    </figure>
  );
}

function format(value: number | null, unit: string): string {
  if (value === null) return '–';
  return `${value.toLocaleString(language(), { maximumFractionDigits: 1 })}${unit === '' ? '' : ` ${unit}`}`;
}
