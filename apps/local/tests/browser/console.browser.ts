import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAgents } from './console/agents.ts';
import { walkConnectors } from './console/connector-forms.ts';
import { walkFirstStart } from './console/first-start.ts';
import { walkByKeyboard } from './console/keyboard.ts';
import { walkKeys } from './console/keys.ts';
import { walkModels } from './console/models.ts';
import { walkOAuth } from './console/oauth.ts';
import { walkStates } from './console/page-states.ts';
import { walkQuality } from './console/quality.ts';
import { walkSearchRules } from './console/search-rules.ts';
import { walkShell } from './console/shell.ts';
import { openStage, type Stage } from './console/stage.ts';
import { walkSynonyms } from './console/synonyms.ts';
import { walkDocuments } from './console/tour.ts';

let opened: Stage | undefined;
const stage = (): Stage => {
  if (opened === undefined) throw new Error('The system is not running.');
  return opened;
};

// One system from its first start: each part uses what earlier parts created.
describe('the console with a complete system and emulated sources', () => {
  beforeAll(async () => {
    opened = await openStage();
  });
  afterAll(() => opened?.close());

  describe('at the first start', () => walkFirstStart(stage));
  describe('with documents', () => walkDocuments(stage));
  describe('with agents', () => walkAgents(stage));
  describe('with connectors', () => walkConnectors(stage));
  describe('with sources that are authorized in the browser', () => walkOAuth(stage));
  describe('with search rules', () => walkSearchRules(stage));
  describe('with synonyms', () => walkSynonyms(stage));
  describe('with search models', () => walkModels(stage));
  describe('with searches and questions', () => walkQuality(stage));
  describe('with keys', () => walkKeys(stage));
  describe('around every page', () => walkShell(stage));
  describe('on every page', () => walkStates(stage));
  describe('without a mouse', () => walkByKeyboard(stage));

  it('sends no requests to other origins, and its policy blocks nothing', () => {
    expect(stage().opened.foreignRequests).toEqual([]);
    expect(stage().opened.errors).toEqual([]);
  });
});
