import { withDeadline } from './deadline.ts';
import { streamEvents } from './events.ts';
import { readLines } from './lines.ts';
import { Paged } from './paged.ts';
import { readResponse } from './read-response.ts';
import { type AnyInput, routeOf, toOutgoing } from './request.ts';
import { createSend, type LecternOptions, type Send } from './transport.ts';
import type {
  Answer,
  CallOptions,
  Data,
  EventOf,
  Input,
  Item,
  JsonOperation,
  LineOf,
  LinesOperation,
  ListOperation,
  StreamOperation,
} from './types.ts';

/** A value, or a function that computes it when iteration starts: an earlier error would be unhandled. */
type Lazy<Value> = Value | (() => Promise<Value>);

/** Calls any operation by its id. The namespaces of `Lectern` are built on it. */
export interface Client {
  /** Sends any request. */
  readonly send: Send;
  /** Returns the id of the key's team. Requested once; each caller waits only for its own timeout. */
  teamId(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<string>;
  /** Returns the `data` of the response. */
  call<Id extends JsonOperation>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Data<Id>>;
  /**
   * Returns the response with its `meta` (paging information) and the record's `etag`, for
   * `ifMatch`.
   */
  answer<Id extends JsonOperation>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Id>>;
  /** A list: `await` returns one page, `for await` yields all items. */
  list<Id extends ListOperation>(id: Id, input: Lazy<Input<Id>>, options?: CallOptions): Paged<Item<Id>>;
  /** Yields the events of a stream and throws the error it fails with. */
  events<Id extends StreamOperation>(
    id: Id,
    input: Lazy<Input<Id>>,
    options?: CallOptions,
  ): AsyncGenerator<EventOf<Id>, void>;
  /** Yields the records of a response with JSON Lines. */
  lines<Id extends LinesOperation>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<LineOf<Id>, void>;
}

const resolveInput = async (input: Lazy<AnyInput>): Promise<AnyInput> =>
  typeof input === 'function' ? input() : input;

const withPage = (input: AnyInput, page: number): AnyInput => ({ ...input, query: { ...Object(input.query), page } });

/** Creates a client. */
export function createClient(settings: LecternOptions): Client {
  const send = createSend(settings);
  let team = settings.teamId === undefined ? undefined : Promise.resolve(settings.teamId);

  const client: Client = {
    send,
    teamId: (deadline = {}) => {
      if (team === undefined) {
        const request = client.call('getOwnKey', {}).then(({ teamId }) => teamId);
        // A failure is not cached.
        request.catch(() => {
          team = undefined;
        });
        team = request;
      }
      const pending = team;
      return withDeadline(deadline, () => pending);
    },
    call: async (id, input, options = {}) => {
      const { data } = await send(toOutgoing(id, input, options), options, readResponse);
      return data;
    },
    answer: async (id, input, options = {}) =>
      Object(await send(toOutgoing(id, input, options), options, readResponse)),
    list: (id, input, options = {}) => {
      const readPage = async (page?: number) => {
        const resolved = await resolveInput(input);
        const outgoing = toOutgoing(id, page === undefined ? resolved : withPage(resolved, page), options);
        const { data, meta } = await send(outgoing, options, readResponse);
        const { limit, total, hasMore } = meta;
        return { items: data, page: meta.page, limit, total, hasMore };
      };
      return new Paged(readPage);
    },
    async *events(id, input, options = {}) {
      const { terminal = '', restartable = false } = routeOf(id);
      const outgoing = toOutgoing(id, await resolveInput(input), options);
      for await (const event of streamEvents(send, outgoing, { terminal, restartable }, options)) yield Object(event);
    },
    async *lines(id, input, options = {}) {
      for await (const record of readLines(send, toOutgoing(id, input, options), options)) yield Object(record);
    },
  };
  return client;
}
