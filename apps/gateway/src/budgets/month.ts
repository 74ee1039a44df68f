/** Returns the first day of the month of a time in UTC. */
export const monthOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));

/** Returns when the budgets of a month end and those of the next one begin. */
export const endOfMonth = (month: Date): Date => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
