import { describe, expect, it } from '@jest/globals';
import { CONNECTOR_TYPES, type FieldSpec } from '#pages/connectors/connector-fields.ts';
import { toChange, toSettings, toValues } from '#pages/connectors/form-values.ts';

const FIELDS: readonly FieldSpec[] = [
  { name: 'channels', label: 'Channels', kind: 'list' },
  { name: 'dateRange.from', label: 'From', kind: 'date' },
  { name: 'dateRange.to', label: 'To', kind: 'date' },
  { name: 'port', label: 'Port', kind: 'number' },
];

describe('connector form values', () => {
  it('convert to API settings without empty fields', () => {
    const values = { channels: '#a, #b\n\n#c', 'dateRange.from': '2026-01-01', port: '5432', 'dateRange.to': ' ' };
    expect(toSettings(FIELDS, values)).toEqual({
      channels: ['#a', '#b', '#c'],
      dateRange: { from: '2026-01-01' },
      port: 5432,
    });
  });

  it('round-trip through the API format', () => {
    const settings = { channels: ['#a', '#b'], dateRange: { to: '2026-02-01' }, port: 5432 };
    expect(toSettings(FIELDS, toValues(FIELDS, settings))).toEqual(settings);
  });

  it('set cleared fields to null', () => {
    expect(toChange(FIELDS, { port: '1' })).toEqual({ channels: null, dateRange: null, port: 1 });
  });

  it('cover each connector type once', () => {
    const types = CONNECTOR_TYPES.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(16);
  });
});
