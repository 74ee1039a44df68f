import type { approvals as English } from '#texts/en/approvals.ts';
import type { Translated } from '#texts/translated.ts';

export const approvals: Translated<typeof English> = {
  cardLabel: 'Genehmigung von {{tool}}',
  question: 'Diesen Aufruf genehmigen?',
  ended: {
    approved: 'Genehmigt.',
    denied: 'Abgelehnt.',
    expired: 'Niemand hat rechtzeitig entschieden.',
    cancelled: 'Der Lauf endete vor einer Entscheidung.',
  },
  until: 'Der Aufruf ändert etwas. Sie können bis {{time}} entscheiden.',
  reason: 'Begründung (optional)',
  deny: 'Ablehnen',
  approve: 'Genehmigen',
  waiting_one: '{{count, number}} Tool-Aufruf wartet auf Ihre Genehmigung. <page>Aufruf anzeigen</page>',
  waiting_other: '{{count, number}} Tool-Aufrufe warten auf Ihre Genehmigung. <page>Aufrufe anzeigen</page>',
  waitingTitle: 'Wartet auf Ihre Genehmigung',
  what: { approvals: 'die Genehmigungen', run: 'den Lauf', answer: 'die Antwort' },
  run: 'Lauf',
  othersRun: 'In einem Lauf einer anderen Person',
  youAsked: 'Ihre Frage',
  openConversation: 'Gespräch öffnen',
};
