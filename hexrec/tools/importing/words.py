"""Words of people who write games down, in English, German, French, Spanish, Dutch and Italian, with their meanings."""

from __future__ import annotations

import re
from typing import Final

#: The colors by their names.
COLOR_WORDS: Final[dict[str, int]] = {
    **dict.fromkeys(("black", "blacks", "blk", "bl", "schw", "schwarz", "noir", "noirs", "negro", "negras"), 0),
    **dict.fromkeys(("negra", "negros", "zwart", "nero", "neri", "b", "⚫", "⬛"), 0),
    **dict.fromkeys(("schwarze", "schwarzen", "schwarzer", "schwarzes", "noire", "noires", "zwarte", "nera"), 0),
    **dict.fromkeys(("weiße", "weißen", "weißer", "weißes", "blanche", "blanches", "witte", "bianca"), 1),
    **dict.fromkeys(("white", "whites", "wht", "wh", "weiß", "weiss", "blanc", "blancs", "blanco", "blancas"), 1),
    **dict.fromkeys(("blanca", "blancos", "wit", "bianco", "bianchi", "w", "⚪", "⬜"), 1),
}
#: The names of colors but for initials and signs, for patterns.
HUES: Final = "|".join(word for word in COLOR_WORDS if len(word) > 1)

_PASS = """
pass passes passed passing passt passte gepasst passen passe passent passé pasa paso pasó pasan passa passano passo past
skip skips skipped p
"""
_RESIGN = """
resign resigns resigned resigning concede concedes conceded aufgegeben abandon abandonne abandonnent
abandona abandonó rinde rindió opgegeven geeft forfeits forfeited forfeit
"""
_SWAP = "swap swaps swapped swapping tauscht getauscht seitenwechsel échange intercambia wisselt"
_BOTH = "both beide deux ambos beiden twice two double zweimal entrambi doppelt"
#: Words that join the cells of one turn, by the sign that they stand for.
_JOINING = {
    ">": "to nach vers hacia naar bis through until thru auf zu hasta jusque",
    "+": "and then place places placed placing add adds adding drop drops dropping put puts putting und"
    " dann setzt setzen "
    "stellt et puis pose posant y luego pone coloca dan plaatst e poi plus new neu",
    "x": "flip flips flipped flipping gives turns flippt dreht umdreht wendet retourne voltea draait gira"
    " capture captures "
    "capturing captured takes",
}
_FILLER = """
the a an one stone stones stack stacks piece pieces egg eggs disc disk token tokens marker at on onto in of
his her its my your their from with by play plays played playing move moves moved moving turn ply plies round
goes go went
answers answered answer replies replied reply responds responded response is was cell cells point points space spaces
for für pour para were are line
snake field fields i he she they we you it me him opening first second third now again next
player players here finally after that start starts started begins began continues continued
grows grow cuts cut merges merge extends back
lays laid lines tower turm türme stein steine der die das den dem ein eine einen ich spiele spielt spielte ziehe
zieht zog legt legte zug züge von mit sein seinen ihren feld runde antwortet danach
le la les un une je pierre pile joue jouent pion coup case sur du des au en à
el los las piedra pila juega ficha jugada casilla del al
speelt zet steen op veld de het een van
gioca pietra pedina mossa su
"""

MEANINGS: Final[dict[str, tuple[str, str]]] = {
    **dict.fromkeys(_FILLER.split(), ("filler", "")),
    **{word: ("join", sign) for sign, words in _JOINING.items() for word in words.split()},
    **dict.fromkeys(_BOTH.split(), ("both", "")),
    **dict.fromkeys(_SWAP.split(), ("swap", "")),
    **dict.fromkeys(_RESIGN.split(), ("resign", "")),
    **dict.fromkeys(_PASS.split(), ("pass", "")),
}

#: Names of the stones that a game begins with.
_OPENING_PIECES: Final = (
    *(
        f"{first} {piece}"
        for first in ("opening", "start", "starting", "initial", "setup", "pre-placed", "given", "pie")
        for piece in ("stone", "stones", "stack", "stacks", "egg", "eggs", "piece", "pieces", "tower", "towers")
    ),
    *(
        f"first {piece}" if last == "first" else f"{piece} {last}".strip()
        for piece in ("stones", "stacks", "eggs", "pieces", "towers")
        for last in (
            "",
            "first",
            "at start",
            "at the start",
            "at the beginning",
            "to begin with",
            "before the game",
            "given",
        )
    ),
    *(
        f"{first}{piece}"
        for first in ("anfangs", "start", "eröffnungs", "anfangs-", "start-", "erste ", "die ersten ")
        for piece in ("steine", "stapel", "türme", "eier")
    ),
    *(
        f"{piece} {last}"
        for piece in ("pierres", "piles", "pions", "œufs", "oeufs")
        for last in ("de départ", "initiales", "initiaux", "d'ouverture", "au départ")
    ),
    *("eier", "œufs", "oeufs", "premières pierres", "premières piles"),
    *("piedras iniciales", "pilas iniciales", "huevos", "pietre iniziali", "beginstapels"),
)

#: The kinds of facts by the words before a colon, or at the top of a column.
KEYS: Final[dict[str, str]] = {
    key: kind
    for kind, keys in {
        "game": "game|spiel|jeu|juego|spel|gioco|game name|game type|ruleset game|type",
        "index": "game no|game number|game id|match no|match id|partie|partida|id|spiel nr|spielnr|number|sheet"
        "|tab|blatt|feuille|hoja|blad|foglio",
        "size": "size|board|board size|boardsize|board side|side length|cells per side|base|order|größe|groesse"
        "|brett|brettgröße|brettgroesse|seitenlänge|seitenlaenge|taille|plateau|tamaño|tablero|lado|dimensione|grootte|bord"
        "|edge|edge length|hex size|hexhex|hex|n|board side length|dimension|côté|cote|zijde|seite",
        "black": "black name|name black|first player|player 1|black|schwarz|noir|noirs|negro|negras|zwart|nero"
        "|black player|player black|spieler schwarz|b|s|blk|bl|bl.|blk.",
        "white": "white name|name white|second player|player 2|white|weiß|weiss|blanc|blancs|blanco|blancas|wit|bianco"
        "|white player|player white|spieler weiß|w|wht|wh|wh.|wht.",
        "players": "players|name|names|joueurs|jugadores|player names|spelers",
        "opening": "opening|openings|opening position|opening placement|start|start position|starting position"
        "|initial|initial position|initial placement|setup|set-up|set up|pie opening|pie offer|offer"
        "|eröffnung|eroeffnung"
        "|startstellung|anfangsstellung|startposition|ouverture|position initiale|apertura"
        "|posición inicial|inicio|begin|beginstelling|placed before the game|preplaced|startstein|au départ|départ"
        "|salida|inizio|partenza|beginstenen|startopstelling|opening (b/w)|opening b/w|" + "|".join(_OPENING_PIECES),
        "opening black": "start b|black opening|opening black|black start|start black|black stone"
        "|black stack|black egg"
        "|opening b|black opening stone|black opening stack|black opening egg|black starts on|b opening|b start"
        "|schwarzer stein|startstein schwarz|black setup|setup black|black's opening stone|black's stone|b stone",
        "opening white": "start w|white opening|opening white|white start|start white|white stone"
        "|white stack|white egg"
        "|opening w|white opening stone|white opening stack|white opening egg|white starts on|w opening|w start"
        "|weißer stein|startstein weiß|white setup|setup white|white's opening stone|white's stone|w stone",
        "pie": "pie|pie rule|swap|swapped|pie choice|choice|second player chose|chose|kuchenregel",
        "result": "result|outcome|won|ergebnis|résultat|resultat|resultado|uitslag|risultato|final result|resultaat"
        "|game result|ausgang|uitkomst|afloop|esito",
        "winner": "winner|who won|won by|winning side|winner (rules)|sieger|gewinner|vainqueur|gagnant|ganador"
        "|winnaar|vincitore",
        "termination": "termination|status|method|ended by|end|ending|reason|ende|how|how it ended|finish"
        "|how it finished|result by",
        "score": "score|points|punkte|final score|endstand|spielstand|puntos|scores|score (b-w)|stand",
        "date": "date|datum|fecha|played on|day|started|start date|gespielt am|utcdate|data",
        "event": "event|tournament|turnier|league|liga|tournoi|torneo|competition|match|series|cup",
        "site": "site|place|server|ort|lieu|where|platform|played at|website|sitio",
        "round": "runde|rd|ronde|ronda|event round|tournament round",
        "variant": "variant|variante|mode",
        "moves": "moves|move list|movelist|turns|turn list|record|game record|züge|zuege|zugfolge|coups"
        "|jugadas|zetten|moves played|game moves|sequence|line|list of moves|spielverlauf|verlauf|mosse|log|game log"
        "|transcript|movetext",
        "coordinates": "coordinates|notation system|koordinaten",
        "turn": "turn|move|zug|coup|jugada|played|zet|action|text|cell|mossa|move text|turn text|placement|notation"
        "|placed|flipped|flipped back|flip back"
        "|feld|case|casilla|veld|payload|move played",
        "number": "ply|#|move #|turn #|move no|move no.|turn no|turn no.|n°|nr|nr.|no|no.|move number"
        "|turn number|zugnr"
        "|zug nr|zug nr.|half-move|halfmove|step|seq|round|num|m|t",
        "color": "color|colour|player|side|farbe|spieler|who|couleur|joueur|jugador|by|mover|to move|actor",
        "comment": "comment|comments|kommentar|note|notes|remark|remarks|bemerkung|annotation|commentaire"
        "|comentario|commento|opmerking|thoughts",
        "time": "time|clock|timestamp|ts|datetime|created at|moved at"
        "|zeit|elapsed|duration|seconds|sec|date/time|temps|hora|when|bedenkzeit",
        "url": "url|link|address",
    }.items()
    for key in keys.split("|")
}

#: Verbs of a player who resigns.
_GAVE_UP = (
    r"resign(?:s|ed|ing)?|conced(?:es?|ed|ing)|g[ia]v(?:es?|en|ing)(?: it)? up|thr(?:ows?|ew|own) in the towel|quits?"
    r"|surrender(?:s|ed)?|capitulat(?:es?|ed)|(?:admit(?:s|ted)?|acknowledge[sd]?) defeat|w[ia]rft? das handtuch"
    r"|g(?:ebe|eben|ibt|ab|aben)\b[^.]{0,20}?\bauf\b(?! zeit)|aufgegeben|kapitulier(?:t|te)|g(?:ibt|ab) sich geschlagen"
    r"|abandonn(?:er|e|ent|é|èrent|a)|jett\w+ l'éponge|s'inclin(?:e|ent|a)|abandon(?:ar|a|an|é|ó|aron|ado)"
    r"|se rind(?:en?|ió|ieron)|rendirse|aufgeben|me r(?:indo|endí)|t?ira(?:n|ron)? la toalla|tiró la toalla"
    r"|abbandona(?:no|to)?|desistiu"
    r"|g(?:eeft|af)\b[^.]{0,20}?\bop\b|opgegeven|g(?:eeft|af) zich gewonnen"
)
#: The object of a verb such as "lost" that is no game.
_THING = (
    r"(?:(?:the|an?|his|her|their|my|its|some|all|two|three|four|five|\d+) (?!(?:\w+ ){0,2}(?:game|match|round|final"
    r"|point|race|duel|fight|battle|contest|one)\b)\w|track|sight|patience|control)"
)
#: Verbs of who loses a game, not as in "the left side was lost".
_LOST = rf"(?<!was )(?<!were )(?<!is )(?<!be )los(?:es?|t)(?! {_THING})"
#: Passives of the loser.
_BEATEN = (
    r"(?:was|were|is|are|been|got|gets) (?:\w+ly )?(?:beaten|defeated|outplayed)|wurden? (?:von (?:\w+ ){1,3})?besiegt"
    r"|(?:a|ont) été (?:battue?s?|vaincue?s?)|fue(?:ron)? derrotad[oa]s?"
)
#: Verbs of the winner, and of the loser.
WON: Final = re.compile(
    r"\b(?:w[io]ns?(?! the toss)|beats?|defeat(?:s|ed)|victor(?:y|ia|ious)|victoire|vittoria|prevail(?:s|ed)"
    r"|triumph(?:s|ed)"
    r"|(?:takes|took|taken|claim(?:s|ed)) (?:it|(?:the )?(?:game|match|point|win|victory))|c[ao]mes? out on top"
    r"|(?:ended|ends) up winning"
    r"|gewinn(?:t|en)|gewann(?:en)?|(?<!zich )gewonnen|sieg(?:te?n?)?|besiegte?"
    r"|(?:is|was|ist|war|est|fue|es|was) (?:the|der|die|le|la|el|de) (?:\w+ )?"
    r"(?:winner|winnaar|sieger(?:in)?|gewinner(?:in)?|vainqueur|gagnante?|ganadora?)"
    r"|winner (?:is|was)|gagn(?:e|ent|é|èrent|a)|(?:l'|r)emporte(?:nt)?"
    r"|(?:has|closes|closed|completes|completed) (?:his|her|their) (?:winning )?loop"
    r"|schließt (?:seine|ihre|die) schleife"
    r"|s'(?:impose|est imposée?)"
    r"|gan(?:a|an|é|ó|aron|ado)|vencit?|venc(?:e|eu|eram|ió)|se impuso|vinc(?:e|ono)|vinto|ganhou|wint|zegeviert)\b"
)
LOST: Final = re.compile(
    rf"\b(?:'s (?:flag|time) (?:fell|falls|has fallen|dropped|ran out|runs out|is up)"
    rf"|time (?:ran|runs) out(?= for)|{_BEATEN}"
    rf"|{_GAVE_UP}|{_LOST}|forfeit(?:s|ed)?|time[sd]?[ -]?out|flag(?:s|ged)|r[au]ns? out of time"
    r"|exceed(?:s|ed) the time|overstep(?:s|ped)|verlier(?:t|en)|verlor(?:en)?|unterlag|überschr(?:eitet|itten|itt)"
    r"|perd(?:ent|u|it|irent)?|pierden?|perdi(?:ó|eron)|perso|perdeu|verliest|verloor)\b"
)
DRAWN: Final = re.compile(
    r"\b(?:draw|drawn(?! (?:by|from|up|at|with))|tie|tied|remis|unentschieden|nulle|match nul|egalité|égalité"
    r"|empate|tablas|gelijkspel|patta)\b"
    r"|½\s?-\s?½|1/2\s?-\s?1/2|0[.,]5\s?-\s?0[.,]5"
)
#: The terminations by the words for them.
TERMINATIONS: Final = (
    (
        "resignation",
        re.compile(
            rf"\b(?:{_GAVE_UP}|resignation|res(?=[.)])|concession|aufgabe|abb?andono?|towel|toalla|éponge|opgave|resa)\b"
        ),
    ),
    (
        "time",
        re.compile(
            r"\b(?:time(?:s|d)?[- ]?outs?|times out|timed out|exceed(?:s|ed) the time|time limit|on time|out of time"
            r"|flag(?:s|ged)?|zeitüberschreitung"
            r"|(?:time|clock) (?:ran out|runs out|is up)|missed the deadline"
            r"|die zeit überschr\w+|überschr\w+ die zeit"
            r"|zeit\b[^.]{0,30}\babgelaufen|temps\b[^.]{0,20}\bécoulé"
            r"|auf zeit|nach zeit|durch zeit|au temps|por tiempo|op tijd|time forfeit|overstepped|by time"
            r"|(?<!this )(?<!first )(?<!last )time(?=\W*$))\b"
        ),
    ),
    ("forfeit", re.compile(r"\b(?:forfeit\w*|walkover|no[- ]show|kampflos|forfait)\b")),
    ("agreement", re.compile(r"\b(?:agree\w*|mutual\w*|vereinbar\w*|einigung|d'un commun accord|acuerdo|accord)\b")),
    ("adjudication", re.compile(r"\b(?:adjudicat\w*|arbiter|jury)\b")),
    ("abandoned", re.compile(r"\b(?:abandoned|aborted|unfinished by both|abgebrochen)\b")),
)
SWAPPED: Final = re.compile(
    r"\b(?:swap(?:s|ped)?|took over|takes over|tauscht|getauscht|switche[sd]|switched sides|yes|ja|oui|sí)\b"
)
NOT_SWAPPED: Final = re.compile(r"\b(?:no|not|none|nicht|nein|declined?|kept|keeps|without|didn't|non|stays?)\b")

#: Words of results, understood or not.
RESULT_WORDS: Final = re.compile(
    rf"{WON.pattern}|{LOST.pattern}|{DRAWN.pattern}"
    r"|\b(?:winner|gewinner|sieger|vainqueur|ganador|resignation|aufgabe|on time)\b"
    r"|(?<![\w.:/-])(?:1\s?[-:]\s?0|0\s?[-:]\s?1)(?![\w.:/-])"
)
#: A clause, and a word of clauses on games that did not happen.
CLAUSE: Final = re.compile(r"[^.!?\n]+")
MODAL: Final = re.compile(
    r"\b(?:would|could(?! no longer| not)|might|should|if|nobody (?:has )?(?:w[io]ns?|los(?:es?|t))"
    r"|unless|nearly|almost|thought|feel(?:ing|s)?|felt|seem(?:s|ed)|hoped|feared|believed|expected"
    r"|dachte|glaubte|hoffte|croyait|pensait|espérait|hätte|würde|wenn|beinahe|fast"
    r"|aurait|presque|casi|bijna)\b"
)
#: Words of games that are not over.
UNFINISHED: Final = re.compile(
    r"\b(?:unfinished|in progress|adjourned|ongoing|not (?:yet )?(?:over|finished)|still (?:playing|running|going)"
    r"|stopped|broke off|no result|abandoned|nicht beendet|nicht zu ende|pas terminée|no terminada|niet afgelopen"
    r"|tomorrow|abgebrochen|läuft noch|unvollendet|hängepartie|weiterspielen"
    r"|inachevée?|en cours|inacabada|sin terminar)\b|(?<!\S)\*(?!\S)|\?-\?"
)
#: Words about the beginning of a game.
STARTING: Final = re.compile(
    r"\b(?:opening|opened|start(?:s|ing)?|started(?!\s*:)|setup|set up|pie|placed|put|initial|stones"
    r"|(?:first|black|white) stone|eggs?|stacks?|eröffnung|anfang\w*|ouverture|apertura)\b|(?<!\w)0\s?[.):]"
)
#: Words of a text that corrects itself.
CORRECTED: Final = re.compile(
    r"\b(?:correct(?:ion|ed)|typo|mistyped"
    r"|oops(?=\W+(?:[a-z]\d|i\b|it\b|that\b|sorry\b))|(?<!game )(?<!one )i meant|meant to (?:write|say)"
    r"|t(?:akes?|ook|aking)"
    r" (?:it |that )?back|take-?back|undo|undid|retract\w*|should (?:be|read)|scratch that|wrong (?:cell|move|turn)"
    r"|korrektur|vertippt|zurückgenommen|berichtigung|errata|erratum)\b"
)
#: Words of a game that goes on later, and of a text that goes on elsewhere.
CONTINUED: Final = re.compile(
    r"\b(?:(?:to|will) be continued|fortsetzung folgt|wird fortgesetzt|à suivre|continuará|wordt vervolgd)\b"
    r"(?!\W{0,3}(?:below|overleaf|unten|(?:in|on|im|auf|dans|en)(?: \w+){0,2} (?:post|page|part|comment|thread|file"
    r"|sheet|message|mail|reply|column|teil|beitrag|seite|blatt|partie|parte)\b))"
)
FIRST_PART: Final = re.compile(
    r"\b(?:part|teil|partie|parte) (?:1|one|i|eins|une?)\b|\bfirst (?:part|half)\b|\berster teil\b|\b(?:1/2|1 of 2)\b"
)
#: Words of a text that lacks turns.
INCOMPLETE: Final = re.compile(
    r"\b(?:(?<!will be )(?:to be )?continued|continues (?:from|in|below|on)|cont'?d|illegible|unreadable"
    r"|(?:moves?|turns?) (?:are |is |were )?(?:missing|lost|illegible|omitted)|rest (?:is |was )?(?:lost|missing)"
    r"|fortsetzung|unleserlich|illisible|ilegible)\b"
)
#: Words of an explanation of the notation, and of play, which is none.
EXPLAINING: Final = re.compile(
    r"\b(?:(?:i|we|you) (?:write|label|note|name|mark)|means|stands for|denotes|labels"
    r"|(?:bottom|lowest|first|middle|longest|top|last) row (?:is|has|goes|runs)"
    r"|schreibe|schreiben|bedeutet|steht für|(?:unterste|erste|mittlere|oberste) reihe (?:ist|hat|geht)"
    r"|j'écris|on (?:écrit|note)|signifie|veut dire|(?:première|dernière) rangée (?:est|a|va))\b"
)
PLAYING: Final = re.compile(
    r"\b(?:played|began|begins|started|starts|opened|answered|replied|went|moved|passed|resigned|spielte|begann|zog"
    r"|antwortete|passte|jouait|joua|joué|commença|commencé|passa)\b"
)

VARIANT_WORDS: Final = re.compile(r"\b(?:revers\w*|mis[eè]re|inver[st]\w*|umgekehrt\w*)\b")
_TURN_WORDS = "moves|turns|plies|half-?moves|züge|zügen|halbzüge|coups|jugadas|zetten|mosse"
#: A stated number of turns.
TURN_COUNT: Final = re.compile(
    rf"\b(?P<before>\d{{1,3}}) (?:{_TURN_WORDS})\b|\b(?:{_TURN_WORDS}|length)\s?[:=]\s?(?P<after>\d{{1,3}})\s*$",
    re.MULTILINE,
)

#: The beginnings of the names of months.
MONTHS: Final = (
    ("jan", "ene", "gen"), ("feb", "fév", "fev"), ("mar", "mär", "mae", "maa"), ("apr", "avr", "abr"),
    ("may", "mai", "mei", "mag"), ("jun", "juin", "giu"), ("jul", "juil", "lug"), ("aug", "aoû", "ago"), ("sep", "set"),
    ("oct", "okt", "ott"), ("nov",), ("dec", "dez", "déc", "dic"),
)  # fmt: skip

_OPENERS = """
here then today yesterday tonight last so and but when while where there this that in at on as finally after once again
recently meanwhile against vs v hier dann heute gestern neulich und aber da als dort dabei schließlich gegen
damit dadurch somit ici puis
aujourd'hui et mais contre ayer hoy aquí entonces pero y cuando contra gisteren vandaag en toen maar oggi ieri qui e ma
quando poi
"""
#: Words in lower case at the beginning of a surname.
PARTICLES: Final = frozenset(
    ["van", "von", "de", "der", "den", "di", "da", "del", "la", "le", "ter", "ten", "zu", "af", "al", "el"]
)
#: Words at the beginning of a sentence, before its subject.
OPENERS: Final = frozenset(_OPENERS.split())
