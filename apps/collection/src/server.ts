import { fileURLToPath } from 'node:url';
import {
  CollectionServiceDefinition,
  DocumentServiceDefinition,
  SearchModelServiceDefinition,
  SearchRuleServiceDefinition,
  SynonymServiceDefinition,
} from '@lectern/contracts';
import { eventService, maintainEvents } from '@lectern/events';
import {
  applyMigrations,
  notForEndUsers,
  type RunningService,
  repeat,
  serve,
  startGrpcService,
} from '@lectern/service-kit';
import { createAnalysisRefresher } from '#analysis/refresh-analysis';
import { createLanguageCounter } from '#collections/collection-languages';
import type { Config } from '#config';
import { consumeDocumentIndex } from '#consumers/document-index';
import { type Context, closeContext, createContext, DATABASE_SCHEMA } from '#context';
import { queueUnqueued } from '#documents/create-document';
import { createCollection } from '#handlers/create-collection';
import { createDocument, createDocuments } from '#handlers/create-document';
import { createSearchRule } from '#handlers/create-search-rule';
import { createSynonym } from '#handlers/create-synonym';
import { deleteCollection } from '#handlers/delete-collection';
import { deleteConnectorDocuments } from '#handlers/delete-connector-documents';
import { deleteDocument } from '#handlers/delete-document';
import { deleteSearchRule } from '#handlers/delete-search-rule';
import { deleteSynonym } from '#handlers/delete-synonym';
import { dropGroups } from '#handlers/drop-groups';
import { exportSearchRules } from '#handlers/export-search-rules';
import { exportSynonyms } from '#handlers/export-synonyms';
import { failDocument } from '#handlers/fail-document';
import { filterReadable } from '#handlers/filter-readable';
import { getCollection } from '#handlers/get-collection';
import { getDocument } from '#handlers/get-document';
import { getDocumentContent } from '#handlers/get-document-content';
import { getDocumentPages } from '#handlers/get-document-pages';
import { getDocumentSummary } from '#handlers/get-document-summary';
import { getIndexingState } from '#handlers/get-indexing-state';
import { getSearchRule } from '#handlers/get-search-rule';
import { getSpace } from '#handlers/get-space';
import { getSynonym } from '#handlers/get-synonym';
import { importSearchRules } from '#handlers/import-search-rules';
import { importSynonyms } from '#handlers/import-synonyms';
import { indexDocument } from '#handlers/index-document';
import { indexItem } from '#handlers/index-item';
import { listCollections } from '#handlers/list-collections';
import { listDocuments } from '#handlers/list-documents';
import { listGroupConnectors } from '#handlers/list-group-connectors';
import { listSearchModels } from '#handlers/list-search-models';
import { listSearchRules } from '#handlers/list-search-rules';
import { listSynonymPacks } from '#handlers/list-synonym-packs';
import { listSynonyms } from '#handlers/list-synonyms';
import { loadSearchRules } from '#handlers/load-search-rules';
import { loadSynonyms } from '#handlers/load-synonyms';
import { refreshStats } from '#handlers/refresh-stats';
import { registerDocuments } from '#handlers/register-documents';
import { replaceGroups } from '#handlers/replace-groups';
import { resolveCollections } from '#handlers/resolve-collections';
import { setPermissions } from '#handlers/set-permissions';
import { updateCollection } from '#handlers/update-collection';
import { updateSearchRule } from '#handlers/update-search-rule';
import { updateSynonym } from '#handlers/update-synonym';
import { updateSynonymPack } from '#handlers/update-synonym-pack';
import { useSearchModel } from '#handlers/use-search-model';
import { createModelMover } from '#models/model-mover';
import { reconcile } from '#reconcile/reconcile';
import { purgeTombstones, requeueLostDocuments } from '#reconcile/sweep';
import { createWantedRound } from '#search-models/apply-wanted';
import { createDownloadRound } from '#search-models/download-models';
import { createSpaceMaintainer } from '#spaces/maintain-spaces';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Between two attempts to queue documents that could not be queued. */
const QUEUE_RETRY_MS = 1_000;

const collectionService = (context: Context) =>
  serve(CollectionServiceDefinition, {
    createCollection: notForEndUsers(createCollection(context)),
    getCollection: getCollection(context),
    listCollections: listCollections(context),
    resolveCollections: resolveCollections(context),
    getSpace: getSpace(context),
    updateCollection: notForEndUsers(updateCollection(context)),
    deleteCollection: notForEndUsers(deleteCollection(context)),
    refreshStats: notForEndUsers(refreshStats(context)),
  });

const documentService = (context: Context) =>
  serve(DocumentServiceDefinition, {
    createDocument: notForEndUsers(createDocument(context)),
    createDocuments: notForEndUsers(createDocuments(context)),
    registerDocuments: registerDocuments(context),
    indexDocument: indexDocument(context),
    indexItem: indexItem(context),
    setPermissions: notForEndUsers(setPermissions(context)),
    replaceGroups: notForEndUsers(replaceGroups(context)),
    dropGroups: notForEndUsers(dropGroups(context)),
    listGroupConnectors: listGroupConnectors(context),
    failDocument: failDocument(context),
    filterReadable: filterReadable(context),
    getIndexingState: getIndexingState(context),
    getDocument: getDocument(context),
    getDocumentContent: getDocumentContent(context),
    getDocumentPages: getDocumentPages(context),
    getDocumentSummary: getDocumentSummary(context),
    listDocuments: listDocuments(context),
    deleteDocument: notForEndUsers(deleteDocument(context)),
    deleteConnectorDocuments: notForEndUsers(deleteConnectorDocuments(context)),
  });

const synonymService = (context: Context) =>
  serve(SynonymServiceDefinition, {
    listSynonyms: notForEndUsers(listSynonyms(context)),
    createSynonym: notForEndUsers(createSynonym(context)),
    getSynonym: notForEndUsers(getSynonym(context)),
    updateSynonym: notForEndUsers(updateSynonym(context)),
    deleteSynonym: notForEndUsers(deleteSynonym(context)),
    importSynonyms: notForEndUsers(importSynonyms(context)),
    exportSynonyms: notForEndUsers(exportSynonyms(context)),
    listSynonymPacks: notForEndUsers(listSynonymPacks(context)),
    updateSynonymPack: notForEndUsers(updateSynonymPack(context)),
    loadSynonyms: loadSynonyms(context),
  });

const searchRuleService = (context: Context) =>
  serve(SearchRuleServiceDefinition, {
    listSearchRules: notForEndUsers(listSearchRules(context)),
    createSearchRule: notForEndUsers(createSearchRule(context)),
    getSearchRule: notForEndUsers(getSearchRule(context)),
    updateSearchRule: notForEndUsers(updateSearchRule(context)),
    deleteSearchRule: notForEndUsers(deleteSearchRule(context)),
    importSearchRules: notForEndUsers(importSearchRules(context)),
    exportSearchRules: notForEndUsers(exportSearchRules(context)),
    loadSearchRules: loadSearchRules(context),
  });

const searchModelService = (context: Context) =>
  serve(SearchModelServiceDefinition, {
    listSearchModels: notForEndUsers(listSearchModels(context)),
    useSearchModel: notForEndUsers(useSearchModel(context)),
  });

/** Starts the collection service: migrations, gRPC server, queue and sweeps. */
export async function startCollection(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<RunningService & { readonly context: Context }> {
  await applyMigrations({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA, dir: MIGRATIONS });
  const context = await createContext(config, overrides);
  const { log } = context;
  const service = await startGrpcService({
    name: 'collection',
    config,
    log,
    services: [
      collectionService(context),
      documentService(context),
      searchModelService(context),
      synonymService(context),
      searchRuleService(context),
      eventService(context.db),
    ],
    dependencies: {
      postgresql: () => context.db.$queryRaw`SELECT 1`,
      nats: () => context.messaging.ping(),
      qdrant: (signal) => context.store.ping({ signal }),
    },
    // Rows record what to queue and index when they are back.
    worksWithout: ['nats', 'qdrant'],
    startWork: () => [
      consumeDocumentIndex(context),
      maintainEvents(context.db, log),
      repeat({ name: 'queue', intervalMs: QUEUE_RETRY_MS, log }, () => queueUnqueued(context)),
      repeat({ name: 'requeue', intervalMs: config.SWEEP_INTERVAL_MS, log }, () => requeueLostDocuments(context)),
      repeat({ name: 'languages', intervalMs: config.SWEEP_INTERVAL_MS, log }, createLanguageCounter(context)),
      repeat({ name: 'purge', intervalMs: config.SWEEP_INTERVAL_MS, log }, () => purgeTombstones(context)),
      repeat({ name: 'reconcile', intervalMs: config.RECONCILE_INTERVAL_MS, log }, () => reconcile(context)),
      repeat({ name: 'models', intervalMs: config.SWEEP_INTERVAL_MS, log }, createModelMover(context)),
      repeat({ name: 'search models', intervalMs: config.SWEEP_INTERVAL_MS, log }, createWantedRound(context)),
      // Apart, because a download can take an hour.
      repeat({ name: 'model downloads', intervalMs: config.SWEEP_INTERVAL_MS, log }, createDownloadRound(context)),
      repeat({ name: 'analysis', intervalMs: config.SWEEP_INTERVAL_MS, log }, createAnalysisRefresher(context)),
      repeat({ name: 'spaces', intervalMs: config.SPACE_INTERVAL_MS, log }, createSpaceMaintainer(context)),
    ],
    close: () => closeContext(context),
  });
  return { ...service, context };
}
