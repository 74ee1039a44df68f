import { queryOptions } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';

/** The most that a team can have. */
const MAX_ENDPOINTS = 20;

/** The language models of the team. */
export const languageModelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => lectern().chat.models({ signal }),
});

/** The prices of the models. Only for admins. */
export const modelPricesQuery = queryOptions({
  queryKey: ['model-prices'],
  queryFn: ({ signal }) => lectern().budgets.prices({ signal }),
});

/** The model endpoints of the team. Only for admins. */
export const modelEndpointsQuery = queryOptions({
  queryKey: ['model-endpoints'],
  queryFn: async ({ signal }) => (await lectern().modelEndpoints.list({ limit: MAX_ENDPOINTS }, { signal })).items,
});

/** The default model of the team. Only for admins. */
export const modelSettingsQuery = queryOptions({
  queryKey: ['model-settings'],
  queryFn: ({ signal }) => lectern().modelEndpoints.settings({ signal }),
});
