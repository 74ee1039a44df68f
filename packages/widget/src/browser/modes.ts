import type { Box, Host } from '#browser/host';
import type { Mode } from '#browser/settings';
import { widgetTexts } from '#browser/texts/texts';

/** Creates the box of a mode. The questions are loaded only when they are needed. */
export type CreateBox = () => Promise<Box>;

/** The longest time to load the questions. */
const LOAD_MS = 20_000;

function withDeadline<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The script did not load in time.')), LOAD_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Creates the content of the element: the boxes of its modes, with buttons to switch if there are several. */
export function createModes(host: Host, create: Readonly<Record<Mode, CreateBox>>): Box {
  const { modes } = host.settings();
  const texts = widgetTexts(host.language);
  const root = document.createElement('div');
  const boxes = new Map<Mode, Box>();
  const buttons = new Map<Mode, HTMLButtonElement>();
  const status = document.createElement('p');
  status.className = 'status';
  status.role = 'status';
  let current: Mode | undefined;
  let isStopped = false;

  const load = async (mode: Mode) => {
    status.textContent = texts.loading;
    try {
      const box = await withDeadline(create[mode]());
      if (isStopped || boxes.has(mode)) return;
      box.root.hidden = current !== mode;
      boxes.set(mode, box);
      status.before(box.root);
      status.textContent = '';
    } catch {
      status.textContent = texts.notLoaded;
    }
  };
  const show = (mode: Mode) => {
    current = mode;
    for (const [name, button] of buttons) button.ariaPressed = String(name === mode);
    for (const [name, box] of boxes) box.root.hidden = name !== mode;
    status.textContent = '';
    if (!boxes.has(mode)) void load(mode);
  };

  if (modes.length > 1) {
    const group = document.createElement('div');
    group.className = 'modes';
    group.role = 'group';
    group.ariaLabel = texts.modesLabel;
    for (const mode of modes) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = texts.modes[mode];
      button.addEventListener('click', () => show(mode));
      buttons.set(mode, button);
      group.append(button);
    }
    root.append(group);
  }
  root.append(status);
  show(modes[0] ?? 'search');
  return {
    root,
    focus: () => {
      if (current !== undefined) boxes.get(current)?.focus();
    },
    keyChanged: () => {
      for (const box of boxes.values()) box.keyChanged();
    },
    stop: () => {
      isStopped = true;
      for (const box of boxes.values()) box.stop();
    },
  };
}
