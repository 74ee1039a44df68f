import type { Command, CommandGroup } from '#command';
import { agents } from '#commands/agents';
import { chat } from '#commands/chat';
import { createCompletion } from '#commands/completion';
import { documents } from '#commands/documents';
import { importDocuments } from '#commands/import';
import { keys } from '#commands/keys';
import { login } from '#commands/login';
import { rules } from '#commands/rules';
import { search } from '#commands/search';
import { status } from '#commands/status';
import { sync } from '#commands/sync';
import { synonyms } from '#commands/synonyms';
import { upload } from '#commands/upload';

const COMMANDS_OF_API: readonly (Command | CommandGroup)[] = [
  login,
  status,
  upload,
  importDocuments,
  search,
  chat,
  sync,
  documents,
  agents,
  keys,
  synonyms,
  rules,
];

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [...COMMANDS_OF_API, createCompletion(COMMANDS_OF_API)];
