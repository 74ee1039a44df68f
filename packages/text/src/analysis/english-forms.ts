/**
 * Irregular forms by their base form, which starts with the same letter. Forms that are also words,
 * names or abbreviations of their own (`left`, `felt`, `leaves`, `Drew`, `LED`) and verbs of general
 * meaning are left out.
 */
const IRREGULAR = `
  arise:arose,arisen awake:awoke,awoken beat:beaten begin:began,begun bend:bent bite:bitten bleed:bled
  blow:blew,blown break:broke,broken breed:bred bring:brought build:built burn:burnt buy:bought catch:caught
  choose:chose,chosen come:came creep:crept deal:dealt dig:dug draw:drawn dream:dreamt drink:drank
  drive:drove,driven eat:eaten fall:fell,fallen fight:fought flee:fled fly:flew,flown
  forbid:forbade,forbidden foresee:foresaw,foreseen forget:forgot,forgotten forgive:forgave,forgiven freeze:froze,frozen
  get:got,gotten give:gave,given grow:grew,grown hang:hung hear:heard hide:hidden hold:held keep:kept kneel:knelt
  know:knew,known lean:leant leap:leapt learn:learnt lose:lost mean:meant meet:met
  mislead:misled mistake:mistook,mistaken misunderstand:misunderstood overcome:overcame oversee:oversaw,overseen
  overtake:overtook,overtaken overthrow:overthrew,overthrown pay:paid prove:proven repay:repaid rebuild:rebuilt
  redraw:redrew,redrawn resell:resold rewrite:rewrote,rewritten ride:rode,ridden ring:rang
  seek:sought sell:sold send:sent shake:shook,shaken shrink:shrank,shrunk sing:sang,sung sink:sank,sunk
  sleep:slept slide:slid speak:spoken speed:sped spend:spent spill:spilt spin:spun spoil:spoilt
  stand:stood steal:stole,stolen stick:stuck strike:struck,stricken swear:swore,sworn sweep:swept
  swell:swollen swim:swam,swum swing:swung take:took,taken teach:taught tear:tore,torn tell:told
  throw:threw,thrown undergo:underwent,undergone understand:understood undertake:undertook,undertaken undo:undid,undone
  unwind:unwound uphold:upheld wake:woken wear:wore,worn weave:wove,woven weep:wept
  withdraw:withdrew,withdrawn withhold:withheld withstand:withstood write:wrote,written
  child:children foot:feet goose:geese half:halves knife:knives loaf:loaves man:men mouse:mice shelf:shelves
  thief:thieves tooth:teeth wife:wives wolf:wolves woman:women
  analysis:analyses catalysis:catalyses crisis:crises diagnosis:diagnoses dialysis:dialyses electrolysis:electrolyses
  emphasis:emphases hydrolysis:hydrolyses hypothesis:hypotheses metastasis:metastases neurosis:neuroses
  paralysis:paralyses parenthesis:parentheses prognosis:prognoses psychosis:psychoses stenosis:stenoses
  synthesis:syntheses synopsis:synopses thesis:theses thrombosis:thromboses
  apex:apices appendix:appendices axis:axes codex:codices cortex:cortices helix:helices index:indices matrix:matrices
  vertex:vertices vortex:vortices
  automaton:automata bacterium:bacteria criterion:criteria curriculum:curricula equilibrium:equilibria
  extremum:extrema ganglion:ganglia maximum:maxima memorandum:memoranda minimum:minima
  mitochondrion:mitochondria momentum:momenta optimum:optima phenomenon:phenomena quantum:quanta spectrum:spectra
  stratum:strata symposium:symposia
  alumnus:alumni bacillus:bacilli bronchus:bronchi calculus:calculi embolus:emboli focus:foci fungus:fungi
  locus:loci modulus:moduli nucleus:nuclei radius:radii stimulus:stimuli syllabus:syllabi thrombus:thrombi
  alga:algae antenna:antennae formula:formulae larva:larvae nebula:nebulae vertebra:vertebrae`;

/** British words with another American spelling, without a rule. */
const BRITISH = `
  acknowledgment:acknowledgement aging:ageing airfoil:aerofoil airplane:aeroplane aluminum:aluminium analog:analogue
  catalog:catalogue check:cheque defense:defence dialog:dialogue enroll:enrol enrollment:enrolment fulfill:fulfil
  fulfillment:fulfilment gray:grey installment:instalment jewelry:jewellery judgment:judgement license:licence
  mold:mould offense:offence plow:plough practice:practise pretense:pretence program:programme skeptic:sceptic
  skeptical:sceptical skillful:skilful specialty:speciality`;

/** British beginnings of words by the American ones. */
const BRITISH_BEGINNINGS = `
  anem:anaem anesth:anaesth cesar:caesar diarrhe:diarrhoe fet:foet gynec:gynaec hem:haem hyperem:hyperaem
  hypoem:hypoaem ischem:ischaem leukem:leukaem orthoped:orthopaed pediat:paediat septicem:septicaem
  sulf:sulph toxem:toxaem`;

const PLURAL =
  /^(?:cheques|programmes|catalogues|analogues|dialogues|aerofoils|aeroplanes|licences|defences|offences)$/;

function toBases(lists: string): ReadonlyMap<string, string> {
  const entries = lists.trim().split(/\s+/);
  return new Map(
    entries.flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':');
      return forms.split(',').map((form): [string, string] => [form, base]);
    }),
  );
}

/** Base forms and American spellings by the word they replace. */
export const ENGLISH_BASES = toBases(`${IRREGULAR} ${BRITISH}`);

/** American beginnings of words by the British ones. */
export const ENGLISH_BEGINNINGS = toBases(BRITISH_BEGINNINGS);
const BRITISH_BEGINNING = new RegExp(`^(?:${[...ENGLISH_BEGINNINGS.keys()].join('|')})`);

/** The first two letters of words, and those of their terms if they differ. */
export type StartChange = readonly [word: string, term: string];

/** The changes of the first two letters by `englishBase`. Patterns of endings change none. */
export const ENGLISH_START_CHANGES: readonly StartChange[] = [...ENGLISH_BASES, ...ENGLISH_BEGINNINGS]
  .map(([form, base]): StartChange => [form.slice(0, 2), base.slice(0, 2)])
  .filter(([form, base]) => form !== base);

/** Verbs in -ise that have an American spelling in -ize: their beginnings. */
const IZE =
  'actual|agon|apolog|author|bapt|capital|categor|central|character|civil|color|commercial|computer|critic|crystall|custom|decentral|depolar|digit|econom|emphas|equal|fertil|final|formal|general|global|harmon|hospital|ideal|immun|incentiv|individual|industrial|initial|international|ion|item|legal|liberal|linear|local|magnet|material|maxim|mechan|memor|minim|mobil|modern|monet|monopol|national|neutral|normal|optim|organ|oxid|patron|penal|personal|polar|polymer|popular|priorit|privat|random|rational|real|recogn|reorgan|revital|scrutin|serial|social|special|stabil|standard|steril|subsid|summar|symbol|sympath|synchron|synthes|urban|util|vapor|victim|visual|vocal';

/**
 * Spellings that differ between British and American English behind the first two letters, as
 * patterns of the British one.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^((?:dis|mis|un|re)?(?:arm|behavi|cand|clam|col|demean|endeav|fav|flav|harb|hon|hum|lab|neighb|od|rum|sav|tum|val|vap|vig))our/,
    '$1or',
  ],
  [/^((?:kilo|milli|centi|micro|nano)?(?:cent|fib|lit|lust|met|sab|spect|theat)|calib)re(s?)$/, '$1er$2'],
  [/^(cent)(?:red|ring)$/, '$1er'],
  [/^(anal|catal|dial|electrol|hydrol|paral)ys(e|ed|er|ers|ing)$/, '$1yz$2'],
  [new RegExp(`^((?:dis|un|re|de|over|under)?(?:${IZE}))is(e|ed|es|er|ers|ing|able|ation|ations|ational)$`), '$1iz$2'],
  [
    /^(cancel|channel|counsel|dial|equal|fuel|initial|label|level|marvel|model|panel|pencil|quarrel|refuel|rival|shovel|signal|total|travel|tunnel)l(ed|ing|er|ers|or|ors)$/,
    '$1$2',
  ],
];

/**
 * Returns the base form of an irregular English word (`paid`, `children`, `analyses`), and the
 * American spelling of a British one, before stemming: one term for all spellings. The first letter
 * never changes.
 */
export function englishBase(word: string): string {
  const base = ENGLISH_BASES.get(PLURAL.test(word) ? word.slice(0, -1) : word);
  if (base !== undefined) return base;
  for (const [british, american] of SPELLINGS) {
    if (british.test(word)) return word.replace(british, american);
  }
  return word.replace(BRITISH_BEGINNING, (beginning) => ENGLISH_BEGINNINGS.get(beginning) ?? beginning);
}
