import { type AnswerView, createAnswerView } from '#browser/ask/answer-view';
import { askFailure } from '#browser/ask/ask-failure';
import { createAskStyle } from '#browser/ask/ask-style';
import { createAskView } from '#browser/ask/ask-view';
import { type Answer, createConversation } from '#browser/ask/conversation';
import type { Box, Host } from '#browser/host';
import { keyProblem } from '#browser/key-problem';
import { askTexts } from '#browser/texts/texts';

/** Shows a growing answer at most this often. */
const SHOW_EVERY_MS = 80;

/** The oldest turns disappear, so that a page that is open for long stays fast. */
const MAX_TURNS = 50;

/** The distance to the end in pixels at which the conversation still follows the answer. */
const NEAR_END = 40;

export type CreateAskBox = (host: Host) => Box;

/** Creates a box for questions in one conversation. */
export const createAskBox: CreateAskBox = (host) => {
  const texts = askTexts(host.language);
  const { root, turns, form, input, ask, stop: stopButton, status } = createAskView(host.settings(), texts);
  const conversation = createConversation();
  host.addStyle(createAskStyle());
  let running: AbortController | undefined;
  /** The turn that failed because of the key. A new key then repeats it, once. */
  let rejected: { readonly question: string; readonly turn: HTMLElement } | undefined;

  const setRunning = (controller: AbortController | undefined) => {
    running = controller;
    const isRunning = controller !== undefined;
    root.ariaBusy = String(isRunning);
    ask.ariaDisabled = String(isRunning);
    // A hidden button would lose the focus.
    if (!isRunning && root.getRootNode() instanceof ShadowRoot && stopButton.matches(':focus')) input.focus();
    stopButton.hidden = !isRunning;
  };
  const follow = (change: () => void) => {
    const isAtEnd = turns.scrollHeight - turns.scrollTop - turns.clientHeight < NEAR_END;
    change();
    if (isAtEnd) turns.scrollTop = turns.scrollHeight;
  };
  const addTurn = (question: string): { readonly turn: HTMLElement; readonly view: AnswerView } => {
    const turn = document.createElement('div');
    turn.className = 'turn';
    const asked = document.createElement('p');
    asked.className = 'question';
    const prefix = document.createElement('span');
    prefix.className = 'hidden';
    prefix.textContent = `${texts.youAsked} `;
    asked.append(prefix, question);
    const view = createAnswerView(texts);
    turn.append(asked, view.root);
    turns.append(turn);
    while (turns.children.length > MAX_TURNS) turns.firstElementChild?.remove();
    turns.hidden = false;
    turns.scrollTop = turns.scrollHeight;
    return { turn, view };
  };
  /** Removes a turn without an answer. The question returns to the field, unless there is another one. */
  const takeBack = (turn: HTMLElement, question: string) => {
    turn.remove();
    turns.hidden = turns.children.length === 0;
    if (input.value.trim() === '') input.value = question;
  };

  const read = async (view: AnswerView, question: string, signal: AbortSignal): Promise<Answer> => {
    let answer: Answer = { content: '', sources: [], confidence: null };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      follow(() => view.show(answer));
    };
    try {
      for await (answer of conversation.ask(host.settings(), question, signal)) {
        timer ??= setTimeout(show, SHOW_EVERY_MS);
      }
      return answer;
    } finally {
      clearTimeout(timer);
      show();
    }
  };

  const run = async (question: string, isRepeated: boolean) => {
    const problem = keyProblem(host.settings().key, texts);
    status.textContent = problem ?? texts.answering;
    if (problem !== undefined) return;
    rejected = undefined;
    const controller = new AbortController();
    const { signal } = controller;
    setRunning(controller);
    const { turn, view } = addTurn(question);
    input.value = '';
    try {
      const { length } = (await read(view, question, signal)).sources;
      status.textContent = length === 0 ? texts.complete : texts.completeWithSources(length);
    } catch (error) {
      const isEmpty = view.root.querySelector('.text')?.textContent === '';
      if (isEmpty) takeBack(turn, question);
      if (signal.aborted) {
        status.textContent = texts.stopped;
        return;
      }
      const {
        message,
        isExpired = false,
        isConversationGone = false,
      } = askFailure(error, conversation.isStarted, texts);
      status.textContent = message;
      if (isConversationGone) conversation.reset();
      if (isExpired && !isRepeated) rejected = { question, turn };
      setRunning(undefined);
      if (isExpired) host.expired();
    } finally {
      if (running === controller) setRunning(undefined);
    }
  };
  const stop = () => running?.abort();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const question = input.value.trim();
    if (question !== '' && running === undefined) void run(question, false);
  });
  stopButton.addEventListener('click', stop);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) stop();
  });

  let problem: string | undefined;
  const showProblem = () => {
    const next = keyProblem(host.settings().key, texts);
    if (next !== problem) status.textContent = next ?? '';
    problem = next;
  };
  showProblem();
  const keyChanged = () => {
    if (running !== undefined) return;
    if (rejected === undefined) {
      showProblem();
      return;
    }
    const { question, turn } = rejected;
    turn.remove();
    if (input.value.trim() === question) input.value = '';
    void run(question, true);
  };
  return { root, focus: () => input.focus(), keyChanged, stop };
};
