/** A horizontal or vertical line on a page, in PDF units from the lower left corner. */
export interface Rule {
  /** The y of a horizontal rule, the x of a vertical one. */
  readonly at: number;
  /** The left end of a horizontal rule, the lower end of a vertical one. */
  readonly from: number;
  readonly to: number;
}

/** The lines drawn on a page. */
export interface PageRules {
  readonly horizontal: readonly Rule[];
  readonly vertical: readonly Rule[];
}

export const noRules: PageRules = { horizontal: [], vertical: [] };

/** Lines closer than this are one: a thin rectangle, or the borders of two adjacent cells. */
const sameLine = 2.5;
/** The ends of lines that touch can be this far apart. */
export const touching = 3;

const joinOne = (rules: readonly Rule[]): Rule[] => {
  const joined: Rule[] = [];
  for (const rule of [...rules].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && rule.from <= last.to + touching)
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, rule.to) };
    else joined.push(rule);
  }
  return joined;
};

/** Joins the parts of lines: the borders of cells, the strokes of a dashed line. */
export const joinRules = (rules: readonly Rule[]): Rule[] => {
  const groups: Rule[][] = [];
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const group = groups.at(-1);
    if (group?.[0] && rule.at - group[0].at <= sameLine) group.push({ ...rule, at: group[0].at });
    else groups.push([rule]);
  }
  return groups.flatMap(joinOne);
};
