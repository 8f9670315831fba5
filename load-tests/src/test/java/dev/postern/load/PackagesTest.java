package dev.postern.load;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.postern.load", importOptions = DoNotIncludeTests.class)
class PackagesTest {

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("dev.postern.load.(**)").should().beFreeOfCycles();
}
