/** A period as a condition of a query. `from` is included, `to` is not. */
export function timesBetween(from: Date | undefined, to: Date | undefined): { gte?: Date; lt?: Date } {
  return { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
}
