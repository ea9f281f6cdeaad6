"""How English says that something was done, was not done, or is only spoken of: data."""

from __future__ import annotations

import re

IN_GENERAL = re.compile(
    r"^\W*(?:all |well )?(?:done|bought|sorted|sent|booked|purchased)\b(?! with)|\ball (?:done|set|sorted)\b|"
    r"\b(?:it|that|this|everything|all of it|they|order|usd)(?: all)? (?:just )?(?:went|has gone|is going) "
    r"through\b|\b(?:is|are|'s) (?:now |all )?yours\b(?! to \w)|\byours now\b|"
    r"\b(?:is|are|'s|'re) (?:now |already )?on (?:its|their|the) way\b|"
    r"\btaken care of (?:it|that|everything)\b|\btook care of (?:it|that|everything)\b|"
    r"\b(?:packed|booked in) for you\b|(?<!else )(?<!customer )(?<!shopper )\bgot the last\b|\bsold to you\b|\bmail(?:'s| is) out\b|"
    r"\b(?:are|is|'re) (?:all )?confirmed\b|\bwe're good\b|\b(?:a )?done deal\b|\ball yours\b|"
    r"\b(?:coming|heading|headed) (?:your way|to you)\b|\bin the books\b|(?:\b(?:it|that|this|they|order|purchase|deal|everything|checkout)(?:'s| is| are|'re)? (?:\w+ )?|^\W*)in the bag\b|\ball paid\b|"
    r"\b(?:is|are|'s|been) (?:all )?(?:sorted|settled|handled|arranged|dealt with)\b|"
    r"\bgood to go\b|\bsuccess(?:ful(?:ly)?)?\b(?!.*\bif\b)|\b(?:enjoy|have fun with) (?:your|the) new\b|"
    r"\bthank(?:s| you) for (?:your (?:order|purchase)|shopping|buying)\b|"
    r"\b(?:it|that|order|all|everything|this)(?:'s| is) (?:now |all )?through\b|"
    r"\b(?:attempt|try|time|go|card|one|that|this|it|round|run) (?:has |then |finally |did |just )*(?:worked(?: out)?|succeeded|did it|did the trick|made it|went fine|was fine)\b|"
    r"\b(?:ordering|paying|payment|the purchase|buying|checkout|it all|everything) went (?:fine|well|smoothly|ok|okay|great|as planned)\b|"
    r"\bwalked away with\b|\bis in the post\b|'s in the post\b",
    re.IGNORECASE,
)
"""Says of all that was asked for that it was done."""

OF_A_DEAL = re.compile(
    r"\b(?:orders?|purchases?|payments?|charges?|(?<!less )(?<!more )(?<!value for )(?<!your )(?<!save )money(?!'s worth)|confirmation|e ?mails?|receipts?|parcel|package|"
    r"delivery|shipment|reservation|refunds?|transaction|checkout|invoice|deal|sale|booking|(?:the|your|my|our|their|a) bank|bank (?:account|statement|transfer)s?|inbox|"
    r"bought|paid|(?:took|taken)(?! (?:[a-z']+ ){1,5}from (?:usd )?[$€£]?\d[\d.,]*(?: usd)? (?:up |down )?to\b)(?! (?:its|their|the|his|her) (?:place|stead|spot)\b)(?! (?:(?!money|payment|sum|it\b)[a-z']+ ){0,9}(?:out|away)\b)(?! (?:it|them|that|those|both) (?:out|away)\b(?! of your (?:account|card|bank)))|grabbed|nabbed|shipped|packed|ordered|charged|mailed|emailed|refunded|booked|"
    r"secured|snagged|scored|sold|processed|confirmed|completed|approved|sent|purchased|checked out|"
    r"yours(?! to \w)|dispatched|delivered|debited|reserved|held|warehouse|courier|carrier)\b",
    re.IGNORECASE,
)
"""In a clause that speaks of buying, paying, sending or holding, in whatever way."""

ASSERTED = re.compile(
    r"\b(?:was|were|has|have|had|did|got|went|took|came|hit|left|made|paid|bought|sent|gave|put|kept)\b|"
    r"'ve\b|\w+'s (?:been|gone|got)\b|\b(?:i|we|they|it|shop|bank|system|store|machine) \w+ed\b|^\W*\w+ed\b",
    re.IGNORECASE,
)
"""In a clause that tells of what was."""

STATED = re.compile(
    r"\b(?:is|are|'s|'re)\b(?=.*\b(?:done|completed?|through|placed|paid|confirmed|ordered|bought|sorted|settled|yours|sent|way|charged|approved|booked|"
    r"reserved|held|secured|processed|made|set|good|ok|okay|fine|official|active|live|in|out|up|there|cleared|accepted|successful|shipped|packed|coming)\b)|"
    r"^\W*(?:done|got it|yay|woohoo|hooray|success)\b",
    re.IGNORECASE,
)
"""In a clause that tells how things stand."""

GAINSAID = re.compile(
    r"\b(?:hold|reservation)(?:'s| is| was| has been| has)? (?:\w+ )?(?:gone|over|off)\b|\b(?:not|n't|never|nothing|none|no|nobody|neither|nor|doubt|unanswered|turned|knocked|bounced|blocked|denied|someone else|somebody else|declin\w+|refus\w+|reject\w+|fail\w+|expire\w*|ran out|run out|"
    r"timed? out|unfortunately|sorry|couldn't|unable|without|nil|zero|released|cancel\w*|undone|instead|still in|again|"
    r"as far as|quiet|silent|silence|no (?:clue|idea|telling)|stays?|problem|trouble|wrong|unclear|doubt|unknown|sold out|out of stock|too late|asked|question|answer|"
    r"waits?|waiting|want\w*|stop(?:s|ped)?|halt(?:s|ed)?|abort(?:s|ed)?|abandon(?:s|ed)?|(?:end(?:s|ed)|cut short|broke off|killed|prevented|interrupted) (?:the|your|this|that|our|it|everything)\b|put an end to|call(?:ed)? (?:it |the \w+(?: \w+)? )?off|for (?:your )?approval|(?:left|leave|leaves|leaving|kept|keep) (?:[\w']+ ){1,5}?(?:alone|as (?:it|they) (?:is|was|are|were)|as is|untouched|unchanged|in place|in peace|where (?:it|they) (?:is|was|are|were))|withdrawn|rolled back|unsuccessful\w*|lapsed|still (?:here|with us)|taken (?:then|by|that|at|on (?:the|that|\w+day))|(?:given|gave|put) (?:(?:it|them|the (?:reserved|held) \w+|those|these) )?back|let go|lifted|dropped|given up|came about|gave up)\b|n't\b|(?<![\w.,-])(?:usd )?[$€£]?0(?:[.,]00)?(?![\w.,]*\d)",
    re.IGNORECASE,
)
"""In a clause that tells of something that was not done, or of why."""

FAILED = re.compile(
    r"\b(?:order|orders|purchase|checkout|payment|charge|transaction|refund|cancellation|mail|e ?mail|confirmation|receipt|message|money|reservation)\b"
    r"(?: (?!no\b|not\b|never\b|without\b|nothing\b)[\w#.']+){0,5}? "
    r"(?:failed(?! (?:payment|charge|card|checkout|attempt|transaction|purchase|order)\b)|fails|fell (?:through|apart|over)|went wrong|got (?:stuck|lost|held up)|is stuck|was stuck|hit a (?:snag|problem|wall)|ran into (?:a |some )?(?:problems?|trouble|an error|an issue)|"
    r"bounced|was (?:refused|rejected|blocked|turned down|unsuccessful|held up|stopped|aborted|abandoned)|could(?:n't| not) (?:be )?(?:completed?|finish\w*|placed?|processed?|sent|send|deliver\w*|taken?|made|make|go through|carried out)|"
    r"(?:was|were|been) (?:unable|not able) to|wasn't able to|did(?:n't| not) (?:go through|work(?: out)?|succeed|make it|get through|come through)|has(?:n't| not) (?:gone|come) through|"
    r"(?:is|are|'s) (?:still )?(?:pending|on hold|incomplete|unpaid|outstanding|unfinished|in limbo|delayed))\b",
    re.IGNORECASE,
)
"""Says of what was asked for, in whatever words, that it was not done."""

IN_GENERAL_NOT = re.compile(
    r"\b(?:it|that|this|things|something|everything) (?:all )?(?:didn't|did not|hasn't|has not) "
    r"(?:quite )?(?:work(?:ed)?|go(?:ne)? through|happen(?:ed)?|succeed(?:ed)?)\b|"
    r"\bnothing (?:has |was |is )?(?:happened|done|changed|moved|bought|paid|purchased)\b|"
    r"\b(?:could not|couldn't) (?:be )?(?:complete|completed|do it|be done|finish|go ahead)\b|"
    r"\bno (?:money|funds|sum|amount)\b.{0,20}\b(?:taken|moved|left|gone|debited|changed)\b|"
    r"\b(?:it|that|this)(?: has| just)? bounced\b|\b(?:went wrong|fell through|came to nothing|was unsuccessful|has failed|failed(?! (?:payment|charge|card|checkout|attempt|transaction|purchase|order)\b))\b|"
    r"\b(?:was not|wasn't) (?:possible|successful)\b",
    re.IGNORECASE,
)
"""Says of all that was asked for that it was not done."""
OF_NOTHING = re.compile(
    r"\b(?:not|n't|never|nothing|none|neither|nor|nobody|without|no longer|isn't|wasn't|weren't|"
    r"aren't|hasn't|haven't|hadn't|didn't|doesn't|couldn't|unable|failed to|zero|nil)\b|(?<![\w.,-])(?:usd )?[$€£]?0(?:[.,]00)?(?= (?:usd|dollars|orders?|charges?|payments?|mails?|refunds?|cents?)\b)"
    r"|\bno (?:\w+ ){0,3}(?:was|were|is|has|have|been|got)\b|\bno (?:usd )?[$€£]?\d[\d.,]*\b|\bno (?:\w+ ){1,3}(?:bought|ordered|taken|touched|spent|charged|paid|made|sent|placed|reserved|held|mailed|refunded|cancelled)\b|\bno (?:order|charge|payment|refund|"
    r"e-?mail|mail|confirmation|receipt|message|purchase|cancellation|money|reservation|hold)\w*\b",
    re.IGNORECASE,
)
"""In a clause that says that something was not done."""

NOTHING_AMISS = re.compile(
    r"\b(?:nothing|no need|not (?:have|need)|n't (?:have|need)) (?:more |else |further |left |here )*(?:for you )?to (?:send|do|worry|return|fear|lose|bring|post|add|wait|watch|sign|hand|fret|decide)\b|"
    r"\bnothing (?:more|else|further|left) to (?:pay|settle)\b|"
    r"\b(?:not|n't|never) (?:be |been )?(?:missing|miss|missed|lacking|lack|losing|lose|forgotten|forget|worry|fret|short of) ?(?:out on |about )?(?:anything|a thing|any of it)?\b",
    re.IGNORECASE,
)
"""Says that nothing more is to be done or is missing, beside what was done."""

ONLY_SPOKEN_OF = re.compile(
    r"\b(?:will|'ll|would|'d|can|cannot|can't|could|may|might|shall|should|must|won't|wouldn't|"
    r"if|once|when|whenever|until|unless|before|after|while|whether|in case|as soon as|as long as|"
    r"to be|(?<!is )(?<!are )(?<!n't )(?<!not )(?<!still )(?<!'s )being|ready to|want|wants|like|please|want me|need to|needs to|going to|about to|"
    r"let me|let's|try|trying|(?:tried|attempted|meant|wanted) to|able to|how|why|what|which|where|who|usually|normally|typically|"
    r"always|only|eligible|in doubt|not clear|unclear|unsure|not sure|cannot say|not known|waiting(?! in your (?:inbox|mailbox|e ?mail|mail)| for you in your (?:inbox|mailbox|e ?mail|mail))|"
    r"waits|pending|yet to|has to|have to|must be|in order to|or)\b",
    re.IGNORECASE,
)
"""In a clause that claims nothing: of the future, of a condition, of what is usual, or in doubt."""

OF_ITSELF = re.compile(
    r"\b(?:status|balance|total|list|cart|records?|information|details|plan|request(?:ed)?)\b",
    re.IGNORECASE,
)
"""What changes by what was done: nobody did that by itself."""

OF_A_RULE = re.compile(
    r"\b(?:may|can|must|shall) be (?:returned|cancelled|canceled|exchanged|refunded|sent back|given back)\b|"
    r"\bhow (?:it|this|that|checkout|\w+ing) works\b|\bworks (?:like|as follows|this way|in (?:\d|two|three|four|several) (?:steps|stages))\b",
    re.IGNORECASE,
)
"""In a sentence that tells how things go where somebody wants it."""

OF_NOW = re.compile(
    r"\b(?:was|were|has|have|had|been|i|we|your|you|just|now|already)\b|'ve\b", re.IGNORECASE
)
"""In a clause of such a sentence that tells of what was done all the same."""

IN_DOUBT = re.compile(
    r"\bneither confirmed\b|\b(?:up in the air|in limbo|undecided|in the balance|anyone's guess|who knows|who can say)\b|\b(?:charge|payment|outcome|result|question)(?: \w+)? (?:is|stays|remains) (?:still )?open\b|(?:\bnot|n't) (?:saying|claiming|telling you)\b|\b(?:saying|say|claim) neither\b|\bwhether or not\b|\b(?:taken|charged|paid|sent|mailed|placed|ordered|reserved|refunded|cancelled|through|out|it is|it was|yes) or (?:not|no|un\w+)\b|"
    r"(?:\bnot|n't|\bnever) (?:yet |so far )?(?:been )?(?:confirmed|established|proven|acknowledged) (?:that|whether|if|yet|so far|by)\b|"
    r"\b(?:no|any|neither|without) (?:clear |hard |real )?(?:sign|signs|proof|evidence|indication|trace|hint) (?:that|of|whether|either)\b|^\W*(?:and |or )?none that\b|"
    r"(?:\bno|\bany|\bwithout|\bnever|\bnot|n't)\b(?: [\w']+){0,3} (?:confirmation|word|acknowledge?ment|answer|reply|response|feedback|signal|guarantee) (?:that|whether|if|as to|about whether|saying|of whether) |"
    r"\bnor ruled out\b|\b(?:nothing|nobody|no one)(?: is| has| was)?(?: yet)? (?:confirmed|acknowledged)\b|\b(?:not|n't) (?:yet )?(?:known|certain|clear|sure|settled)\b|"
    r"\b(?:can't|cannot|couldn't|could not) (?:\w+ )?(?:say|tell|confirm|rule out|be sure|be certain)\b|\bin doubt\b|\bmay (?:or may not )?(?:have|be)\b|\bwhether\b|"
    r"\b(?:unclear|uncertain|unknown|unresolved|open question|perhaps|maybe|possibly)\b|"
    r"\bno (?:assertion|claim|statement|promise) (?:is|can be|will be) made\b|"
    r"\bno (?:clue|idea|telling|way (?:to|of) (?:tell|know|say|telling|knowing|saying))\b",
    re.IGNORECASE,
)
"""In a clause that says that nobody knows."""

MODAL = re.compile(
    r"\b(?:will|would|can|could|shall|should|may|might|must|if|unless|until|whether|need|want|please|let|ask|tell|know|only|not|no|never|nothing|nobody)\b|'ll\b|'d\b|n't\b|\?",
    re.IGNORECASE,
)
"""In a sentence that may tell of what is to come, or of nothing."""

WHEN_IT_WAS = re.compile(
    r"\s(?:just |right |shortly |soon |only |straight |a moment |moments )*(?:after|when|while|as soon as|once|before) "
    r"(?=(?:your|the|my|i|we|it|they|both|everything)\b(?![^,.;]{0,40}\b(?:is|are|gets|goes|isn't|aren't)\b)[^,.;]{0,40}\b(?:was|were|had|got|went|placed|charged|sent|booked)\b)",
    re.IGNORECASE,
)
"""Before what was done, in a sentence that tells of what was."""

CONDITION_BEFORE = re.compile(
    r"^\W*(?:if|once|when(?! (?:i|we) (?:looked|checked|searched|last|read)\b)|whenever|unless|as soon as|should you|had (?:you|it|we|i|the|they|there)\b|were (?:you|it|i|we) to|assuming|supposing|in case|after you|until|(?:let's |let us )?(?:say|suppose|imagine|assume|picture)(?: that|,)? (?:it|you|your|the|that|this|they|we|i|an?|one|somebody|someone|something)\b(?! (?:word|yes|the word)\b)|for (?:example|instance),? if)\b",
    re.IGNORECASE,
)
"""At the beginning of a sentence of which every clause hangs on a condition."""

CONDITION_BEHIND = re.compile(
    r"\b(?:if|unless|only (?:if|when|once|after)|as soon as you|as long as|provided)\b|\bwhen (?:the|an?|your) \w+ (?:is|are|gets?|has been|leaves?)\b|"
    r"\b(?:once|when|after) you(?:'ve| have) \w|\b(?:once|when|after) you (?!\w+ed\b|did\b|said\b|gave\b)\w",
    re.IGNORECASE,
)
"""Behind what is said to be done: it says how things go, and not that it was done."""

NOTHING_ELSE = re.compile(
    r"\b(?:nothing (?:else|more|further)|no (?:other|further|second|more)|nobody else|not (?:twice|again))\b"
)
"""Says that beside what was done nothing was: it tells neither."""

NO_SECOND_ONE = re.compile(
    r"\b(?:no|not an?) (?:second|other|further|more|extra|additional|double|duplicate|repeat(?:ed)?) (?:\w+ )?(?:charges?|payments?|debits?|orders?|e ?mails?|mails?|refunds?|confirmations?|receipts?)\b"
)
"""Says of what was done that it was done once."""

TAKEN_BACK = re.compile(
    r"\b(?:i|we)(?:'d|'ve| had| have| first| just| earlier| wrongly| mistakenly| originally| initially)* "
    r"(?:said|wrote|told you|called (?:it|them|that)|claimed|stated|quoted|gave you|mentioned|counted|put down)\b[^.;:?!\n—–]*(?:[.,]\d[^.;:?!\n—–]*?)*?"
    r"(?=,? (?:but|when|though|although|whereas|instead of)\b|, (?:and (?:that|this|it)|which|that|it)(?:'s| is| was| were)\b|[;:?!—–]|\.(?!\d)|$)",
    re.IGNORECASE,
)
"""What somebody says that they said before, where they take it back."""

TAKES_BACK = re.compile(
    r"\b(?:sorry|pardon|apolog\w+|oops|mistake\w*|wrong\w*|correct\w*|mix\w*|slip\w*|take (?:it|that) back|first|earlier|a (?:moment|second|minute) ago|before|"
    r"originally|initially|put (?:that|it|this) right|should (?:have|be)|instead of|typo|misread)\b",
    re.IGNORECASE,
)

STILL_OPEN = re.compile(
    r"\b(?:waiting|waits|awaiting|pending|awaits) (?:for )?(?:your |an? |the )?(?:approval|answer|yes|ok)\b|"
    r"\b(?:request|approval|question|proposal) (?:is|remains|stays) (?:still |currently )*(?:open|pending|active|valid)\b|\byou can still (?:approve|answer|confirm) it\b",
    re.IGNORECASE,
)
"""Says that a person is still asked."""

COULD_NOT = re.compile(
    r"\b(?:could not|couldn't|was not able to|wasn't able to|were not able to|was unable to|"
    r"am unable to|i'm unable to|did not|didn't|have not|haven't|failed to)\b",
    re.IGNORECASE,
)

LED_IN = re.compile(
    r"\b(?:i can confirm(?: that)?|what i can (?:say|tell you|confirm)(?: for sure| already)?(?: is)?(?: that)?|"
    r"you(?:'ll| will) (?:also |now )?(?:see|notice) that|i(?:'m| am) (?:happy|glad|pleased|sorry) to (?:say|confirm|report|"
    r"tell you|let you know)(?: that)?|let me confirm(?: that)?|please note(?: that)?|"
    r"(?:just )?to be (?:safe|sure|clear|honest|fair|exact|precise|on the safe side)|as you (?:asked|requested|wanted|wished)|what'?s more|in the (?:mean)?time|as requested|"
    r"like you (?:asked|wanted)|without (?:(?:a|any|further) )?(?:\w+ )?(?:hitch|hitches|problems?|issues?|glitch|glitches|hiccups?|snags?|trouble|fuss|delay|ado|difficult(?:y|ies)|errors?|complications?)|just like that|should be all set)\b",
    re.IGNORECASE,
)
"""What only leads in to a claim, whatever it seems to say."""

QUOTED = re.compile(r"[\"“][^\"”\n]*(?:[\"”]|$)|\bno longer needed\b|(?<!\w)'[^'\n]*'(?!\w)", re.I)
"""What is repeated of somebody else's words: a reason, a title."""

TAG = re.compile(
    r",?\s*(?:ok(?:ay)?|right|all ?right|alright|yes|yeah|correct|good|cool|deal|remember|no|huh|eh|neat|"
    r"(?:(?:are|is|was|were|do|does|did|has|have|had|could|would|should|ca|wo|ai)n[’']t|are|is|was|were|do|did|has|have|had|could|would|can|will) (?:it|they|you|we|i|he|she|that|there)(?: not)?|"
    r"neat,? huh|sounds good|you see|see|got it)\s*\?+(?=\s*$)",
    re.IGNORECASE,
)
"""A question at the end of what is no question."""

HEDGE = re.compile(
    r"\bif you(?:'re| are) (?:watching|looking|after|wondering|curious|interested|asking)\b[^,.]{0,40},|\bif you ask me,?|"
    r"\b(?:if|unless) i(?:'m| am) (?:not )?(?:very )?(?:mistaken|wrong)\b,?|\bif i (?:read|see|remember|understand|recall)\b[^,]{0,30}(?:right|rightly|correctly)\b,?|"
    r"\bif my (?:sums|maths?|figures|reading) (?:are|is) (?:right|correct)\b,?|\b(?:as|so) far as i (?:can|could) (?:tell|see|judge|make out)\b,?|"
    r"\bfrom what i can (?:tell|see|make out|gather)\b,?|\b(?:it|that) (?:looks|seems|appears|sounds)(?: to me)? (?:like|as if|as though|that)\b|"
    r"\blooks (?:to me )?(?:like|as if|as though)\b|\bit (?:seems|appears) (?!to\b)|\b(?:seems|appears|seem|appear) to (?=be\b|have\b)|"
    r"\bi(?:'d| would) (?:say|guess|bet|think|reckon|imagine|assume)\b(?: that)?|\bi(?:'m| am) (?:fairly|pretty|quite|reasonably|almost|rather)? ?(?:sure|certain|confident|positive)(?: that)?\b|"
    r"\bi (?:believe|think|guess|suppose|assume|reckon|suspect|gather|understand|hear)(?: that)?\b|\bi(?:'m| am) told(?: that)?\b|"
    r"\bi (?:may|might|could) be (?:wrong|off|mistaken)\b[^,]{0,30},?(?: but)?|\bwe are pleased to (?:advise|inform you|confirm|announce)(?: that)?\b|"
    r"\b(?:please be advised|kindly note|we regret to (?:inform|advise) you|we (?:hereby )?confirm|i have to (?:apologi[sz]e|admit)|apologies|my apologies) ?(?:that)?,?",
    re.IGNORECASE,
)
"""Is careful and says nothing else: what stands beside it is still claimed."""

EARLIER = re.compile(
    r"\b(?:earlier|previous(?:ly)?|before that|yesterday|last (?:time|week|month|order)|"
    r"(?<!moment )(?<!minute )(?<!minutes )(?<!second )(?<!seconds )(?<!moments )ago|"
    r"already|back then|first order|other order|in the past)\b",
    re.IGNORECASE,
)
"""Speaks of what was done before this turn."""
