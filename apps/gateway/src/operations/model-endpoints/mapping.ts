import type { EndpointModel, ModelEndpoint, ModelEndpointReport } from '@lectern/contracts';
import { time } from '#operations/convert';

const models = (list: readonly EndpointModel[]) =>
  list.map(({ id, contextWindow }) => ({ id, contextWindow: contextWindow ?? null }));

/** The models of a request. */
export const requestedModels = (
  list: readonly { readonly id: string; readonly contextWindow: number | null }[],
): EndpointModel[] => list.map(({ id, contextWindow }) => ({ id, contextWindow: contextWindow ?? undefined }));

/** A model endpoint without its key. */
export const endpointRecord = (endpoint: ModelEndpoint) => ({
  id: endpoint.id,
  name: endpoint.name,
  provider: endpoint.provider,
  url: endpoint.url ?? null,
  hasKey: endpoint.hasKey,
  models: models(endpoint.models),
  createdAt: time(endpoint.createdAt),
  updatedAt: time(endpoint.updatedAt),
});

const failure = (code: string | undefined, message: string | undefined) =>
  code === undefined ? null : { code, message: message ?? '' };

/** The result of a test. */
export const endpointReport = (report: ModelEndpointReport) => ({
  success: report.success,
  latencyMs: report.latencyMs,
  models: models(report.models),
  listError: failure(report.listErrorCode, report.listErrorMessage),
  model: report.model ?? null,
  error: failure(report.errorCode, report.errorMessage),
});
