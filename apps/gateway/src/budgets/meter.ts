import type { ChatEvent, ChatReply } from '@lectern/contracts';
import { AppError, newId } from '@lectern/service-kit';
import { actorOf } from '#audit/record-audit';
import { budgetExceeded, warningHeader } from '#budgets/budget-errors';
import { subjectOf } from '#budgets/limits';
import { monthOf } from '#budgets/month';
import { amountOf, NOTHING, type Prices, readPrices, type Tokens } from '#budgets/prices';
import { noteReply, type Reservation, reserve, settle } from '#budgets/reservations';
import type { Context } from '#context';
import type { KeyedCall } from '#pipeline/operation';
import { addTokens } from '#usage/request-usage';

/** What one call of a language model reserves: typical sizes of a prompt with sources and a reply. */
export const STEP: Tokens = { promptTokens: 4_000, completionTokens: 1_000 };
/** A rough estimate for text whose tokens are not counted yet. */
const CHARACTERS_PER_TOKEN = 4;

export const NO_TOKENS: Tokens = { promptTokens: 0, completionTokens: 0 };

const plus = (a: Tokens, b: Tokens): Tokens => ({
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
});

/** What was probably used when a model call has written this many characters, after earlier calls. */
export const estimateOf = (earlier: Tokens, characters: number): Tokens =>
  plus(earlier, {
    promptTokens: STEP.promptTokens,
    completionTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
  });

/** The requested model, if there is one. */
interface Request {
  readonly model?: string | undefined;
}

/** Measures one reply: reserves before it starts, and charges what it has used when it ends. */
class Meter {
  readonly #ctx: Context;
  readonly #call: KeyedCall;
  #reservation: Reservation;
  readonly #prices: Prices;
  #model: string | undefined;
  /** Counted tokens of earlier model calls of an agent. */
  #counted: Tokens = NO_TOKENS;
  /** Characters of the model call in progress. */
  #written = 0;
  #reserved = STEP;
  #total: Tokens | undefined;
  /** True if the model call in progress has produced something. */
  #isWriting = false;

  private constructor(ctx: Context, call: KeyedCall, prices: Prices, model: string | undefined) {
    const { teamId, pairId } = call.key;
    this.#ctx = ctx;
    this.#call = call;
    this.#prices = prices;
    this.#model = model;
    this.#reservation = {
      id: newId('request'),
      subject: subjectOf(teamId, pairId),
      month: monthOf(new Date()),
      waits: false,
    };
  }

  /** Reserves the first step. Throws `rate_limited` if the budget is used up. */
  static async start(ctx: Context, call: KeyedCall, { model }: Request): Promise<Meter> {
    const meter = new Meter(ctx, call, await readPrices(ctx.db, call.key.teamId), model);
    await meter.#reserve();
    return meter;
  }

  #amount(tokens: Tokens) {
    return amountOf(this.#prices, this.#model, tokens);
  }

  /** What the reply has probably used so far. */
  get #spent(): Tokens {
    return this.#isWriting ? estimateOf(this.#counted, this.#written) : this.#counted;
  }

  async #reserve(): Promise<void> {
    const { subject, month } = this.#reservation;
    const amount = this.#amount(this.#reserved);
    const { refused, warning } = await reserve(this.#ctx.db, this.#reservation, amount, this.#amount(this.#spent));
    if (refused !== undefined) throw budgetExceeded(refused, month, subject.isPerson);
    if (warning !== undefined) this.#call.usage.budgetWarning = warningHeader(warning, month);
  }

  /** Reserves more for the next step. */
  #extend(reserved: Tokens): Promise<void> {
    this.#reserved = reserved;
    return this.#reserve();
  }

  /**
   * Notes an event. Throws `rate_limited` if the reply reaches a hard limit. While the database is
   * unavailable, a reply in progress continues.
   */
  async note(event: ChatEvent): Promise<void> {
    try {
      await this.#note(event);
    } catch (err) {
      if (err instanceof AppError && err.code === 'rate_limited') throw err;
      this.#call.log.warn({ err }, 'could not check the budget of a reply in progress');
    }
  }

  async #note({ event }: ChatEvent): Promise<void> {
    switch (event?.$case) {
      case 'messageStart':
        await noteReply(this.#ctx.db, this.#reservation.id, event.value.id);
        return;
      case 'contentDelta':
        this.#isWriting = true;
        this.#written += event.value.delta.length;
        if (this.#spent.completionTokens > this.#reserved.completionTokens) {
          await this.#extend(plus(this.#reserved, { promptTokens: 0, completionTokens: STEP.completionTokens }));
        }
        return;
      case 'run':
        await this.#noteRun(event.value);
        return;
      case 'messageEnd':
        this.finish(event.value.model, event.value.usage);
    }
  }

  async #noteRun({ event }: Extract<NonNullable<ChatEvent['event']>, { $case: 'run' }>['value']): Promise<void> {
    if (event?.$case === 'started') this.#model = event.value.model;
    if (event?.$case === 'toolCall') this.#isWriting = true;
    if (event?.$case === 'pendingApproval' && this.#reservation.waits !== true) {
      this.#reservation = { ...this.#reservation, waits: true };
      await this.#reserve();
    }
    if (event?.$case !== 'iteration' || event.value.number === 1) return;
    this.#counted = event.value.usage ?? this.#spent;
    this.#written = 0;
    this.#isWriting = false;
    await this.#extend(plus(this.#counted, STEP));
  }

  /** Notes the count of the complete reply. */
  finish(model: string, usage: Tokens | undefined): void {
    if (model !== '') this.#model = model;
    this.#total = usage ?? NO_TOKENS;
  }

  /** Ends the reservation without a charge. */
  async cancel(): Promise<void> {
    await settle(this.#ctx.db, { id: this.#reservation.id }, NOTHING, actorOf(this.#call));
  }

  /**
   * Charges what was used: the count of the reply, or an estimate if it failed while the model wrote.
   * If the client has disconnected, the reservation stays: whoever resumes the stream settles it,
   * otherwise it is charged when it expires.
   */
  async end(): Promise<void> {
    const { usage, log, signal } = this.#call;
    usage.model = this.#model ?? '';
    if (this.#total === undefined && signal.aborted) return;
    const used = this.#total ?? this.#spent;
    const amount = this.#amount(used);
    addTokens(usage, used, amount.cost);
    try {
      await settle(this.#ctx.db, { id: this.#reservation.id }, amount, actorOf(this.#call));
    } catch (err) {
      log.warn({ err }, 'could not charge a reply; its reservation is charged when it expires');
    }
  }
}

/** Runs a request for a complete reply within the budget of its caller. */
export async function meterReply(
  ctx: Context,
  call: KeyedCall,
  request: Request,
  run: () => Promise<ChatReply>,
): Promise<ChatReply> {
  const meter = await Meter.start(ctx, call, request);
  try {
    const reply = await run();
    meter.finish(reply.model, reply.usage);
    return reply;
  } finally {
    await meter.end();
  }
}

/** Runs a request for a stream within the budget of its caller. The stream ends at a hard limit. */
export async function* meterEvents(
  ctx: Context,
  call: KeyedCall,
  request: Request,
  start: () => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  const meter = await Meter.start(ctx, call, request);
  try {
    for await (const event of start()) {
      await meter.note(event);
      yield event;
    }
  } finally {
    await meter.end();
  }
}

async function settleReply({ db }: Context, call: KeyedCall, replyId: string, model: string, used: Tokens) {
  const amount = amountOf(await readPrices(db, call.key.teamId), model, used);
  if (!(await settle(db, { replyId }, amount, actorOf(call)))) return;
  addTokens(call.usage, used, amount.cost);
  call.usage.model = model;
}

/** Settles the reservation of a resumed stream when it ends. */
export async function* settleResumed(
  ctx: Context,
  call: KeyedCall,
  events: AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  const replyId = call.lastEventId?.split('.')[0];
  for await (const event of events) {
    if (event.event?.$case === 'messageEnd' && replyId !== undefined) {
      const { model, usage = NO_TOKENS } = event.event.value;
      await settleReply(ctx, call, replyId, model, usage).catch((err: unknown) =>
        call.log.warn({ err }, 'could not charge a resumed reply; its reservation is charged when it expires'),
      );
    }
    yield event;
  }
}

/** Warns of a soft limit before work that is charged later. Throws `rate_limited` if the budget is used up. */
export async function requireBudget(ctx: Context, call: KeyedCall): Promise<void> {
  const meter = await Meter.start(ctx, call, {});
  await meter.cancel();
}
