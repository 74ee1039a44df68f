import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemplateServiceDefinition } from '@lectern/contracts';
import { connectGrpc, type GrpcClient } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { type RunSystem, startRunSystem } from './support/run-system.ts';

const caller = createCaller();
const as = callAs(caller);
let system: RunSystem;
let templates: GrpcClient<typeof TemplateServiceDefinition>;
let close: () => void;

beforeAll(async () => {
  system = await startRunSystem({});
  const connection = connectGrpc(system.address);
  close = () => connection.close();
  templates = connection.client(TemplateServiceDefinition);
});
afterAll(async () => {
  close();
  await system.stop();
});

/** Returns a value for each required variable. */
const required = (variables: readonly { name: string; required: boolean }[]) =>
  Object.fromEntries(variables.filter((variable) => variable.required).map(({ name }) => [name, `<${name}>`]));

describe('the templates', () => {
  it('are listed by name with their variables', async () => {
    const all = (await templates.listTemplates({}, as)).templates;
    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
    for (const template of all) {
      expect(template.id).toMatch(/^tpl_[a-z-]+$/);
      expect(await templates.getTemplate({ id: template.id }, as)).toEqual(template);
    }
    const [first, second] = await Promise.all(
      [1, 2].map((page) => templates.listTemplates({ page: { page, limit: 3 } }, as)),
    );
    expect([...first!.templates, ...second!.templates].map(({ id }) => id)).toEqual(
      all.slice(0, 6).map(({ id }) => id),
    );
    expect(first!.page).toMatchObject({ total: all.length, hasMore: true });
  });

  it('create agents without remaining placeholders', async () => {
    for (const { id, name, tools, variables } of (await templates.listTemplates({}, as)).templates) {
      const agent = await templates.createFromTemplate({ templateId: id, variables: required(variables) }, as);
      expect(agent).toMatchObject({ name, tools, collectionIds: [], memory: 'recall' });
      expect(`${agent.systemPrompt}${agent.startMessage}`).not.toMatch(/\{\{|\}\}|undefined/);
      expect(await system.agents.getAgent({ id: agent.id }, as)).toEqual(agent);
    }
  });
});

describe('an agent from a template', () => {
  const create = (variables: Record<string, string>, more: object = {}) =>
    templates.createFromTemplate({ templateId: 'tpl_support-agent', variables, ...more }, as);

  it('has the given name and values, and keeps placeholders within values', async () => {
    const agent = await create({ product: 'Acme {{tone}}', tone: 'dry' }, { name: 'Sam' });
    expect(agent.name).toBe('Sam');
    expect(agent.systemPrompt).toContain('users of Acme {{tone}}. Your tone is dry.');
    expect(agent.systemPrompt).toContain('the support team');
  });

  it.each([
    ['a missing one', {}, 'variables.product'],
    ['an empty one', { product: ' ' }, 'variables.product'],
    ['an unknown one', { product: 'x', color: 'red' }, 'variables.color'],
    ['one that is too long', { product: 'x'.repeat(2_001) }, 'variables.product'],
    ['the name of an inherited property', { product: 'x', constructor: 'y' }, 'variables.constructor'],
  ])(
    'is rejected for %s among its variables with an error that names it',
    async (_what, variables: Record<string, string>, path) => {
      await expect(create(variables)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: [expect.objectContaining({ path })] },
      });
    },
  );

  it('is not found for an unknown template', async () => {
    const missing = { code: 'not_found', details: { resource: 'template' } };
    await expect(templates.getTemplate({ id: 'tpl_nope' }, as)).rejects.toMatchObject(missing);
    await expect(templates.createFromTemplate({ templateId: 'tpl_nope' }, as)).rejects.toMatchObject(missing);
  });
});
