"""Plain words that people write with a capital for weight inside a sentence: "a Coward", "my Skills", "AF".

Rule of this file: a table only. A word of it is no name where it stands alone and nothing beside it says what it names.
"""

# ruff: noqa: SIM905  # a table reads best as plain words

from __future__ import annotations

EMPHASISED = frozenset(
    """
accident active actual adult adventure af afraid alive amount ancient angry annual answers anthem app apps argument
arm army attack attempt author award awards awful bag bags bar bars battery battle beast beat bed beer bike birth
bitch bite bitter blame blast blind block blonde bloody bomb bonus books boots boredom boss bots bottle bowl box boys
brain brains brave brb breath breed brief bright broken bros brothers bubble budget bugs burger bus button cable
camera cameras caption captions card cards cartoon cases catch cell chain chair challenge champion chance changes
channel chapter character characters chart cheap child choice clever clip clips clock clothing coat comment comments
common computer concert content contest cooker corner costume count coward crap crash credit creepy crew crime crisis
critic culture curse custom cuteness damage danger dark death decade deck defense degree demon detail device devil
difference dirt dirty disease dreams driver drivers drug dumb dust duty ear earth edit effect effects elder election
elite emotion empty ending enemy engine entry episode episodes era escape event evil exit expert express facts failure
fake fame fan fans fantasy farm fashion fat fault fear federal fell felt ffs fight film films finals finger fire firm
fish fit floor flow flower fly fog fool foot force foreign forever form formal fortune frame fruit fuck fucking fuel
fuse future gadget gamer gamers garbage gas gate gear genius giant glass goal goat gold golden government grade grass
grave ground guard guest guide guitar gun guns hair hands happiness hat haters heat heaven heavy hero heroes hidden
hide highlights hilarious hole honor horror horse hotel humor hungry hunt hurt husband ice icon idc ideas idiot ily
image impact inch inner insane interview intro irl item items jail jaw jelly jobs joke jokes journey juice jump junk
keys kick kill killer kings kiss kitchen kk knee knife lame land laptop laughs law laws lawyer lazy leader leaf leak
leg legend legends lesson letter level levels liar liberal license lie lies lights liked limit lines lips lit lives
lmk lock logic logo loop loser losers loud magic male manager market marriage mask mass massive match material maximum
meal meat media medicine member meme memes memory menu mess messages metal mic middle mile miles milk mini mirror
mission mix mobile mode modern monkey monster monsters moral moron morons motion mouse mouth moves movies mud murder
muscle musical nail naked nation native natural nature neck neighbor nerd nerve net ngl nightmare noise normal nose
nsfw nude numbers object odd office official oil older omfg opening opinion orange outfit owner pack pain paint pair
paper parent parents partner parts path pattern peace peak performance pet photos pic pics piece pig pin pink pipe
pizza plane planet plant plate player players plot poem points poison police polite politics pool pop popcorn porn
position positive poster posts pot potato pound power practice prank prayer presidents pride priest print prison prize
problems process professional profile progress promo proof prop protest proud public pump punch pure pussy quality
quest quiz quote race racism racist random range rank rap rape rapper rare rat rate raw reaction reality record
reference remix rent reporter review reviews rice ride riding ring risk robot rock rofl role roof room root rope round
rude rule rules safe sail sale sample sand sarcasm satire sauce savage scale scam scary scene scenes science score
scream screen script search seat secret section seed senior series servant server sex sexual sexy shade shame shape
shark sharp shirt shit shock shoe shoes shoot shooting shot shots shout shower silence silent silly simple singer site
size skill skills skin slave smfh smile smoke smooth snack snake snow social sock soft soldier solid songs soul soup
source space spam speech speed spell spider spin spirit split sport sports spot squad staff stage stars state
statement statements steak steel steps stfu stick stock stomach stories stranger strength stress strike string strong
style subs subscribe subscribed subscriber subscribers success sudden sugar suit surface surgery survival sweat swim
sword table tail tale talent tank tape taste tax tea teacher teammate tear tears tech teen teeth television terror
tests thief threat throat throne tickets tie tight tiny tips toilet tone tongue tools tooth topic tour toy toys trade
tradition trailer traitor trap trash tree trend trial trick tricks trophy trouble truck tube tune tutorial twin twins
ugly ultimate uniform unique unit universe updates upload value van victim videos viewer viewers views villain
violence virus vision vlog vlogs volume wall war waste watcher wave weak wealth weapon weapons website weed weight
wheel wide wind window wine wing winners wire wise witch wood worker workers worlds writer xd xdd yard zombie zone
""".split()
)
