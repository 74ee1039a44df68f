import { extractTerms } from '@lectern/text';

/**
 * Words that ask for the same thing in the documents of a company, one group a line. Small on purpose: it mends the most common gaps between
 * how people ask and how policies are worded, and irregular forms that no stemmer joins. English.
 */
const GROUPS = `
vacation holiday pto leave absence
laptop computer machine notebook mac device
fired terminated dismissed termination fire dismissal
quit resign leave resignation
salary pay wage compensation paycheck income
paid pay payment
money dollar amount cost
cost price fee charge expense
reimburse refund expense
company firm organization organisation business
employee staff worker people team
boss manager supervisor
illness sick ill sickness
baby child newborn children
parental maternity paternity caregiver parent mother father
begin start commence onset
end finish terminate expire
buy purchase order get
max maximum cap limit
min minimum least floor
allowed permit may allow ok okay
forbidden prohibited banned disallowed
raise increase
job role position work
founded established created founded start
die died death dead
bereavement funeral death
bonus profit share
match contribute contribution
retirement pension 401k
insurance coverage cover policy
meeting call
meetup gathering
remote remotely anywhere distributed
hardware equipment
chair desk furniture
yearly annual annually year
whole entire full
notice advance notify headsup inform
replace supersede substitute successor
monthly month
weekly week
daily day
error exception bug
monitor track
side moonlighting
build built construct construction
write wrote written
speak spoke spoken
teach taught
choose chose chosen
give gave given
take took taken
hold held
meet met
make made

win won
lose lost loss
become became
begin began begun
grow grew grown
lead led
sell sold sale
send sent
leave left
see saw seen
know knew known
surrender give gave
`;

const RELATED = readGroups();

/** Terms (as the analysis gives them) that may stand for a term; empty for most. */
export function relatedTerms(term: string): ReadonlySet<string> {
  return RELATED.get(term) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function readGroups(): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const terms = [...new Set(line.split(' ').flatMap((word) => extractTerms(word, 'en')))];
    for (const term of terms) {
      const others = related.get(term) ?? new Set();
      for (const other of terms) if (other !== term) others.add(other);
      related.set(term, others);
    }
  }
  return related;
}
