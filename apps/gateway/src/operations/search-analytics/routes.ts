import { searchAnalytics } from '@lectern/api-spec';
import { invalidRequest, pageInfo, readPage } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { usagePeriod } from '#operations/analytics/usage-period';
import { time } from '#operations/convert';
import { route } from '#pipeline/operation';
import { readSearchCounts, readSearchQueries } from '#search-log/read-searches';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Returns the period of a list. Throws `invalid_request` if it is empty or too long. */
function listPeriod(query: { readonly from?: Date | undefined; readonly to?: Date | undefined }) {
  const { to = new Date() } = query;
  const { from = new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) } = query;
  if (from >= to) throw invalidRequest([{ path: 'from', message: 'must be before `to`' }]);
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
    throw invalidRequest([{ path: 'from', message: `must be at most ${MAX_DAYS} days before \`to\`` }]);
  }
  return { from, to };
}

export const searchAnalyticsRoutes = [
  route(searchAnalytics.recordSearchClick, async ({ searchLog }, { body }, { caller }) => {
    searchLog.click(caller.teamId, body.queryId, body.rank);
    return data({ accepted: true });
  }),

  route(searchAnalytics.getSearchAnalytics, async ({ db, searchLog }, { query }, { caller }) => {
    const { from, to, intervalMs } = usagePeriod(query);
    await searchLog.flush();
    const filter = { teamId: caller.teamId, from, to, collection: query.collection };
    const { buckets, totals } = await readSearchCounts(db, filter, intervalMs);
    return data({
      from: time(from),
      to: time(to),
      interval: query.interval,
      buckets: buckets.map(({ start, counts }) => ({ startAt: time(start), ...counts })),
      totals,
    });
  }),

  route(searchAnalytics.listSearchQueries, async ({ db, config, searchLog }, { query }, { caller }) => {
    const { skip, take, ...paging } = readPage(query);
    const filter = { teamId: caller.teamId, ...listPeriod(query), collection: query.collection };
    await searchLog.flush();
    const { queries, total } = await readSearchQueries(db, filter, {
      withoutResults: query.withoutResults,
      minPeople: config.SEARCH_ANALYTICS_MIN_PEOPLE,
      skip,
      take,
    });
    const items = queries.map(({ lastSearchedAt, ...item }) => ({ ...item, lastSearchedAt: time(lastSearchedAt) }));
    return page(items, pageInfo({ ...paging, skip, take }, total));
  }),
];
