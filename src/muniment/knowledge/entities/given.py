"""Given names and the gender they usually speak of: a small open table, for titles, pronouns and telling persons from the rest.

Rule of this file: tables only. A name that is in both lists, or in none, says nothing.
"""

# ruff: noqa: SIM905  # a table reads best as plain words

from __future__ import annotations

MALE = frozenset(
    """
aleksandr aleksei alexey andrey dimitris dmitriy finn giorgos kostas lukas maksim maxim mikhail moritz nikolai nikolay nikos
yannis yuri yuriy vasily vasiliy oleg igor kenji hiroshi takeshi jun minho
aaron abdul abraham adam adrian ahmad ahmed alan albert alberto alec alejandro alessandro alexander alexandre alfonso alfred
ali allan allen alvin amir anders andre andreas andrei andrew andy angelo anthony antoine anton antonio arnold arthur arturo
ashok augustus austin axel barry bartholomew ben benedict benjamin bernard bert bill billy bjorn bob bobby boris brad bradley
brandon brendan brent brett brian bruce bruno bryan byron caleb calvin carl carlo carlos cedric charles charlie chester chris
christian christoph christopher chuck clarence claude claus clement clifford clint clinton clyde colin conrad craig curtis
cyril dale damian damon dan daniel danny dario darren dave david dean dennis derek desmond dick diego dieter dimitri dirk
dmitri dominic don donald doug douglas duncan dustin dwight dylan earl ed eddie edgar edmund eduardo edward edwin eli elias
elijah emil emilio emmanuel enrico enrique eric erich erik ernest ernesto ernst ethan eugene evan fabian felipe felix
ferdinand fernando filip floyd francesco francis francisco franco francois frank franklin franz fred frederick friedrich
fritz gabriel gareth garrett gary gavin gene geoffrey george georges gerald gerard gerhard giancarlo gilbert giorgio giovanni
giuseppe glen glenn gordon graham grant greg gregory guido guillaume gunther gus gustav guy hamid hank hans harald harold
harry harvey hassan hector heinrich helmut hendrik henri henrik henry herbert herman hiroshi horace howard hubert hugh hugo
humphrey ian ibrahim igor ignacio isaac ismail ivan jack jacob jacques jake jakob jamal james jan jared jason javier jay jeff
jeffrey jens jeremiah jeremy jerome jerry jim jimmy joachim joaquin joe joel johan johann johannes john johnny jon jonas
jonathan jorge jose josef joseph joshua juan julian julien julio julius jurgen justin kareem karl keith ken kenji kenneth
kevin klaus konrad kurt kyle lance larry lars laurence lawrence lee len leo leon leonard leonardo leopold leroy leslie lewis
liam lionel lloyd logan lorenzo lou louis luc luca lucas luigi luis luke magnus mahmoud malcolm manuel marc marcel marco
marcos marcus mario mark markus marshall martin marvin mason mathias matt matteo matthew matthias maurice max maximilian
mehmet melvin michael michel miguel mike mikhail milton mitchell mohamed mohammad mohammed moses muhammad murray mustafa
nathan nathaniel neal ned neil nelson niall nicholas nick nicolas niels nigel noah noel norman oliver olivier omar oscar
oswald otto owen pablo paolo pascal patrick paul pavel pedro percy perry pete peter phil philip philippe phillip pierre
pieter rafael rahul raj rajesh ralph ramon randall randy raphael raul ravi ray raymond reginald rene ricardo richard rick
ricky rob robert roberto rod roderick rodney roger roland rolf roman ron ronald ronnie rory ross roy rudolf rudolph rupert
russell ryan salvador salvatore sam samuel sanjay scott sean sebastian sergei sergey sergio seth seymour shane
sherlock sidney sigmund simon spencer stan stanley stefan stefano stephen steve steven stewart stuart sven tariq ted terence
terrence theo theodore thomas tim timothy tobias todd tom tomas tommy tony travis trevor tristan tyler ulrich umar victor
vincent vincenzo vikram vladimir wallace walter warren wayne werner wilfred wilhelm will willem william willie winston
wolfgang xavier yusuf yves zachary mycroft
""".split()
)
FEMALE = frozenset(
    """
ekaterina eleni galina irina lucia ludmila natalya oksana olga sofiya tatiana tatyana yelena yulia yuliya yuki sakura
abigail ada adela adelaide adele agatha agnes aisha alana alexandra alexis alice alicia alison allison alma amalia amanda
amber amelia amy ana anastasia andrea angela angelica angelina anita ann anna annabel anne annette annie antonia april ariana
arlene ashley astrid audrey aurora ava barbara beatrice beatrix becky belinda bella bernadette bernice bertha beth bethany
betsy betty beverly bianca blanche bonnie brenda bridget brigitte brooke camilla camille candace carina carla carmen carol
carole carolina caroline carolyn carrie cassandra catherine cecilia celeste celia charlotte chelsea cheryl chloe christa
christina christine cindy claire clara clarissa claudia colleen connie constance consuelo cora cordelia corinne courtney
cristina cynthia dagmar daisy dana daniela danielle daphne dawn deborah debra deirdre delia delilah denise diana diane
dolores dominique donna dora doris dorothea dorothy edith edna eileen elaine eleanor elena elisa elisabeth eliza elizabeth
ella ellen ellie elsa elsie elvira emilia emily emma erica erika erin esmeralda estelle esther ethel eugenia eunice eva
evangeline eve evelyn faith fatima fay felicia felicity fiona flora florence frances francesca freya frida gabriela gabriella
gail genevieve georgia georgina geraldine gertrude gina ginger gisela giulia gladys gloria grace greta gretchen guadalupe
gwen gwendolyn hanna hannah harriet hazel heather heidi helen helena helene helga henrietta hilary hilda hildegard holly hope
ida ilona ilse imogen ines ingeborg ingrid irene iris irma isabel isabella isabelle ivy jacqueline jade jane janet janice
jasmine jean jeanette jeanne jenna jennifer jenny jessica jessie jill joan joanna joanne jocelyn josephine joy joyce juanita
judith judy julia juliana julie juliet june justine kara karen karin karla kate katharina katharine katherine kathleen
kathryn kathy katie katrina kayla kelly kirsten kristen kristin kristina lara laura lauren laurie layla lea leah leila lena
leona leonora leticia lila lilian lillian lily linda lisa liz liza lois lola lorena loretta lori lorraine louisa louise lucia
lucille lucinda lucy luisa lydia lynn mabel madeleine madeline madison mae magdalena maggie maja mandy marcia margaret
margarita margot maria marian marianne marie marilyn marina marion marisa marissa marjorie marlene marta martha martina mary
maryam matilda maud maureen maxine maya megan mei melanie melinda melissa mercedes meredith michaela michelle mildred
millicent mina minnie miranda miriam molly mona monica monika muriel myra nadia nadine nancy naomi natalia natalie natasha
nell nellie nicole nina noelle nora noreen norma octavia olga olive olivia ophelia paige pamela patricia paula pauline pearl
peggy penelope petra philippa phoebe phyllis pilar polly priscilla priya rachel ramona raquel rebecca regina renata renee
rhoda rita roberta robin rosa rosalie rosalind rosa rose rosemary roxanne ruby ruth sabine sabrina sally samantha sandra sara
sarah saskia selena selma serena shannon sharon sheila shelley shirley sibyl silvia simone sofia sonia sonja sophia sophie
stacy stella stephanie sue susan susanna susanne suzanne svetlana sybil sylvia tabitha tamara tania tanya tara teresa tess
tessa thelma theresa tiffany tina tracy trudy ulrike uma ursula valentina valeria valerie vanessa vera verena veronica
victoria viola violet virginia vivian vivienne wanda wendy whitney wilhelmina wilma winifred yasmin yolanda yvette yvonne
zara zoe
""".split()
)
SHORT_MALE = frozenset(
    """
abe al alf archie art bernie bud cal cliff dex ernie gabe hal herb ike jed jeb jock josh lenny les mick mitch moe nate norm ollie
paddy ralphie reg rich russ sid stu vic vince walt wes zack zach
""".split()
)
SHORT_FEMALE = frozenset(
    """
abby addie allie bea becca bess bev cathy cat deb debbie dee dottie ellie em flo fran gabby ginny gwen jen josie kat kathi kay liv
lottie maddie marge meg millie mindy nan pam patty penny pippa roz sadie steph susie tilly tori tricia trish vicky
""".split()
)
BOTH = frozenset(
    """
alex sam chris pat jan jean robin leslie lee kim dana jordan taylor morgan casey jamie andrea dominique rene kelly tracy mel
lou terry dale marion vivian laurie jo nat ashley shannon lynn cameron riley quinn avery charlie ali carol noel may
""".split()
)


def gender(given: str) -> str:
    """Give "m" or "f" when this given name, in small letters without marks, usually speaks of one of them; else ""."""
    if given in BOTH:
        return ""
    if given in MALE or given in SHORT_MALE:
        return "m" if given not in FEMALE else ""
    return "f" if given in FEMALE or given in SHORT_FEMALE else ""


def is_given(word: str) -> bool:
    """True when `word`, in small letters without marks, is a given name of the table."""
    return word in MALE or word in FEMALE or word in BOTH or word in SHORT_MALE or word in SHORT_FEMALE


def is_short(word: str) -> bool:
    """True when `word` is a given name of the table that is a short form of others: "bea", "josh"."""
    return word in SHORT_MALE or word in SHORT_FEMALE
