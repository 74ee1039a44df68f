import {
  type Connector,
  ConnectorServiceDefinition,
  FileServiceDefinition,
  ItemServiceDefinition,
  JobStatus,
  type SyncJob,
  type SyncMode,
  SyncServiceDefinition,
  type UploadFilesResponse,
} from '@lectern/contracts';
import { type Caller, connectGrpc, newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';

export interface UploadFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

const ENDED: readonly number[] = [
  JobStatus.COMPLETED,
  JobStatus.COMPLETED_WITH_ERRORS,
  JobStatus.FAILED,
  JobStatus.CANCELLED,
];

/** Returns true for a job that has ended. */
export const hasEnded = (job: SyncJob): boolean => ENDED.includes(job.status);

/** Creates a team's client of a connector service. */
export function createConnectorClient(address: string, caller: Caller = createCaller()) {
  const connection = connectGrpc(address);
  const connectors = connection.client(ConnectorServiceDefinition);
  const files = connection.client(FileServiceDefinition, { deadlineMs: 60_000 });
  const items = connection.client(ItemServiceDefinition, { deadlineMs: 60_000 });
  const syncs = connection.client(SyncServiceDefinition);
  const as = () => callAs(caller);

  const upload = (connectorId: string, uploads: readonly UploadFile[], metadata?: Record<string, unknown>) =>
    files.uploadFiles(
      (async function* () {
        yield { part: { $case: 'open', value: { connectorId, metadata } } } as const;
        for (const { path, content } of uploads) {
          yield { part: { $case: 'file', value: { path, mimeType: '' } } } as const;
          const bytes = Buffer.from(content);
          for (let at = 0; at < bytes.length; at += 65_536) {
            yield { part: { $case: 'chunk', value: bytes.subarray(at, at + 65_536) } } as const;
          }
        }
        yield { part: { $case: 'end', value: {} } } as const;
      })(),
      as(),
    );

  return {
    caller,
    connectors,
    files,
    items,
    syncs,
    as,
    upload: (
      connectorId: string,
      uploads: readonly UploadFile[],
      metadata?: Record<string, unknown>,
    ): Promise<UploadFilesResponse> => upload(connectorId, uploads, metadata),
    createConnector: (collectionId: string, type = 'upload'): Promise<Connector> =>
      connectors.createConnector({ name: 'Files', type, collectionId, config: {}, credentials: undefined }, as()),
    sync: (
      connectorId: string,
      order: { mode?: SyncMode; fileFilter?: string[]; confirmDeletions?: boolean; id?: string } = {},
    ) =>
      syncs.startSync(
        {
          connectorId,
          mode: order.mode ?? 1,
          fileFilter: order.fileFilter ?? [],
          confirmDeletions: order.confirmDeletions ?? false,
          id: order.id,
        },
        as(),
      ),
    job: (connectorId: string, jobId: string): Promise<SyncJob> => syncs.getJob({ connectorId, jobId }, as()),
    /** Polls until the job has ended, also while the service is unavailable. */
    ended: async (connectorId: string, jobId: string, timeoutMs = 240_000): Promise<SyncJob> => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const job = await syncs.getJob({ connectorId, jobId }, as()).catch(() => undefined);
        if (job !== undefined && hasEnded(job)) return job;
        if (Date.now() > deadline) throw new Error(`The job has not ended: ${JSON.stringify(job)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: () => connection.close(),
  };
}

export type ConnectorClient = ReturnType<typeof createConnectorClient>;

/** Adds a collection to the fake service. */
export function newCollection(collections: Set<string>): string {
  const id = newId('collection');
  collections.add(id);
  return id;
}
