import {
  CollectionServiceDefinition,
  type DeleteConnectorDocumentRequest,
  type DocumentError,
  DocumentServiceDefinition,
  type DropGroupsRequest,
  type IndexDocumentRequest,
  type IndexItemRequest,
  type RegisterDocumentsRequest,
  type ReplaceGroupsRequest,
  type SetPermissionsRequest,
} from '@lectern/contracts';
import { AppError, type CallOrigin, type GrpcConnection, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';

/** The documents and groups of a team at the collection service. Calls throw `AppError`. */
export interface DocumentIndex {
  /** Creates documents for items, or finds existing ones. Returns ids in the order of the items. */
  register(teamId: string, request: RegisterDocumentsRequest, signal: AbortSignal): Promise<readonly string[]>;
  /** Indexes a document. Returns its id. */
  index(teamId: string, request: IndexDocumentRequest, signal: AbortSignal): Promise<string>;
  /** Indexes an item and creates its document if there is none. Returns the document's id. */
  indexItem(teamId: string, request: IndexItemRequest, signal: AbortSignal): Promise<string>;
  /** Replaces the principals of documents. */
  setPermissions(teamId: string, request: SetPermissionsRequest, signal: AbortSignal): Promise<void>;
  /** Stores a part of a connector's groups. */
  replaceGroups(teamId: string, request: ReplaceGroupsRequest, signal: AbortSignal): Promise<void>;
  /**
   * Removes members that can no longer be read. With `deleted`, removes the groups of a deleted
   * connector.
   */
  dropGroups(teamId: string, request: DropGroupsRequest, signal: AbortSignal): Promise<void>;
  /** Lists the connectors of all teams with stored groups, ordered by id. */
  groupConnectors(after: string, signal: AbortSignal): Promise<readonly { connectorId: string; teamId: string }[]>;
  fail(teamId: string, id: string, error: DocumentError, signal: AbortSignal): Promise<void>;
  /** Deletes a document. Does nothing if it does not exist. */
  remove(teamId: string, id: string, signal: AbortSignal): Promise<void>;
  /**
   * Deletes a document of a connector for a caller. Throws `not_found` if the caller cannot see it,
   * and `precondition_failed`.
   */
  removeFor(origin: CallOrigin, which: DeleteConnectorDocumentRequest): Promise<void>;
  /** Throws `not_found` or `forbidden` if a caller cannot read a document. */
  requireReadable(origin: CallOrigin, id: string): Promise<void>;
  removeOfConnector(teamId: string, connectorId: string, signal: AbortSignal): Promise<void>;
  collectionExists(teamId: string, collectionId: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the principals of the call's end user; empty without one. */
  principalsOf(origin: CallOrigin): Promise<readonly string[]>;
}

/** Includes chunking and embedding of the largest texts. */
const INDEX_DEADLINE_MS = 300_000;
const REMOVE_ALL_DEADLINE_MS = 60_000;
const BULK_DEADLINE_MS = 60_000;

/** Placeholder team id for the one call that covers all teams. */
const ALL_TEAMS = 'all';

const isNotFound = (error: unknown, resource: string): boolean =>
  error instanceof AppError && error.code === 'not_found' && error.details?.resource === resource;

/** Returns true if a call failed because the collection was deleted. */
export const isCollectionGone = (error: unknown): boolean => isNotFound(error, 'collection');

/** Returns true if a call failed because the document was deleted. */
export const isDocumentGone = (error: unknown): boolean => isNotFound(error, 'document');

/** Creates the client for a connection to the collection service. */
export function createDocumentIndex(connection: GrpcConnection): DocumentIndex {
  const documents = connection.client(DocumentServiceDefinition);
  const collections = connection.client(CollectionServiceDefinition);
  const as = (teamId: string, signal: AbortSignal) =>
    onBehalfOf({ caller: systemCaller(teamId), requestId: newId('request'), signal });

  return {
    register: async (teamId, request, signal) => {
      const response = await documents.registerDocuments(request, as(teamId, signal));
      return response.documents.map((document) => document.id);
    },
    index: async (teamId, request, signal) => {
      const response = await documents.indexDocument(request, { ...as(teamId, signal), deadline: INDEX_DEADLINE_MS });
      return response.id;
    },
    indexItem: async (teamId, request, signal) => {
      const response = await documents.indexItem(request, { ...as(teamId, signal), deadline: INDEX_DEADLINE_MS });
      return response.id;
    },
    setPermissions: async (teamId, request, signal) => {
      await documents.setPermissions(request, { ...as(teamId, signal), deadline: BULK_DEADLINE_MS });
    },
    replaceGroups: async (teamId, request, signal) => {
      await documents.replaceGroups(request, { ...as(teamId, signal), deadline: BULK_DEADLINE_MS });
    },
    dropGroups: async (teamId, request, signal) => {
      await documents.dropGroups(request, { ...as(teamId, signal), deadline: BULK_DEADLINE_MS });
    },
    groupConnectors: async (after, signal) => {
      const { connectors } = await documents.listGroupConnectors({ after }, as(ALL_TEAMS, signal));
      return connectors;
    },
    fail: async (teamId, id, error, signal) => {
      await documents.failDocument({ id, error }, as(teamId, signal));
    },
    remove: async (teamId, id, signal) => {
      try {
        await documents.deleteDocument({ id }, as(teamId, signal));
      } catch (error) {
        if (!isDocumentGone(error)) throw error;
      }
    },
    removeFor: async (origin, { connectorId, documentId: id, precondition }) => {
      await documents.deleteDocument({ id, connectorId, precondition }, onBehalfOf(origin));
    },
    requireReadable: async (origin, id) => {
      await documents.getDocument({ id }, onBehalfOf(origin));
    },
    removeOfConnector: async (teamId, connectorId, signal) => {
      await documents.deleteConnectorDocuments(
        { connectorId },
        { ...as(teamId, signal), deadline: REMOVE_ALL_DEADLINE_MS },
      );
    },
    principalsOf: async (origin) => {
      const { principals } = await collections.resolveCollections({ ids: [] }, onBehalfOf(origin));
      return principals?.values ?? [];
    },
    collectionExists: async (teamId, collectionId, signal) => {
      try {
        await collections.getCollection({ id: collectionId }, as(teamId, signal));
        return true;
      } catch (error) {
        if (isCollectionGone(error)) return false;
        throw error;
      }
    },
  };
}
